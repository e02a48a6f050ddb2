/* SPDX-License-Identifier: MIT */
/* Style and script of a report, as strings. */
	.macro	file symbol, name, more
	.global	\symbol
	.hidden	\symbol
	.type	\symbol, %object
\symbol:
	.incbin	"BLOB/\name"
	.ifnb	\more
	.incbin	"BLOB/\more"
	.endif
	.byte	0
	.size	\symbol, . - \symbol
	.endm

	.section .rodata
	file	report_style, report.css, map.css
	file	report_script, report.js
	.section .note.GNU-stack, "", %progbits
