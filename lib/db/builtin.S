/* SPDX-License-Identifier: MIT */
/* The compiled definitions, as bytes of the library. */
	.section .rodata
	.global	builtin_definitions
	.hidden	builtin_definitions
	.type	builtin_definitions, %object
	.balign	16
builtin_definitions:
	.incbin "BLOB"
	.size	builtin_definitions, . - builtin_definitions
	.section .note.GNU-stack, "", %progbits
