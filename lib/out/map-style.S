/* SPDX-License-Identifier: MIT */
/* The style of a map, as a string. */
	.section .rodata
	.global	map_style
	.hidden	map_style
	.type	map_style, %object
map_style:
	.incbin	"BLOB"
	.byte	0
	.size	map_style, . - map_style
	.section .note.GNU-stack, "", %progbits
