/* SPDX-License-Identifier: MIT */
/* The built-in captures, as bytes of the library, and the table of them: struct packed_demo. */
	.macro	capture symbol, file
	.section .rodata
\symbol:
	.incbin	"BLOB/\file"
\symbol\()_end:
	.endm

	.macro	string symbol, text
	.section .rodata.str1.1, "aMS", %progbits, 1
\symbol:
	.string	"\text"
	.endm

	.macro	entry symbol
	.dc.a	\symbol\()_name, \symbol\()_title, \symbol, \symbol\()_end - \symbol
	.endm

	capture	snb, snb-hang.packed
	capture	skl, skl-hang.packed
	capture	icl, icl-trtt.packed

	string	snb_name, "snb-hang"
	string	snb_title, "Sandy Bridge: stuck in a 3DPRIMITIVE, vertices unmapped"
	string	skl_name, "skl-hang"
	string	skl_title, "Skylake: page fault in second-level batch, media asleep"
	string	icl_name, "icl-trtt"
	string	icl_title, "Ice Lake: tiled resources, waiting at a semaphore"

	.section .data.rel.ro.local, "aw", %progbits
	.balign	8
	.global	demo_table
	.hidden	demo_table
	.type	demo_table, %object
demo_table:
	entry	snb
	entry	skl
	entry	icl
	.size	demo_table, . - demo_table

	.section .rodata
	.balign	8
	.global	demo_count
	.hidden	demo_count
	.type	demo_count, %object
demo_count:
	.dc.a	3
	.size	demo_count, . - demo_count
	.section .note.GNU-stack, "", %progbits
