#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten tasks of somebody new, each with the command that answers it and what shows that it does.
# Before a release, find each command from --help and the man pages alone; what takes two looks
# there is a bug of the help or of the page.
. "$(dirname "$0")/../cli/lib.sh"
wants gzip
data=$(cd "$(dirname "$0")/../data" && pwd)
made=$data/driver-made
cd "$work" || exit 1

# task QUESTION COMMAND PATTERN
task() {
	title "$1"
	run_lenient sh -c "$2"
	expect_out_has "$3"
}

task 'Which command hung?' \
	'gpu-fault -q -s demo:skl-hang' '^rcs0 hangs in PIPE_CONTROL at ppgtt:0x10002003c'
task 'Which process hung?' \
	"gpu-fault $made/i915-6.12-skl-second.gz" '^process +hang-i915 \[142\], on rcs0'
task 'What did the kernel log say first?' \
	"gpu-fault -q $made/xe-6.12-tgl-log.gz" \
	'^First \(line 13, .*a job timed out on rcs \(process hang-xe \[159\]'
task 'Is this PTE writable?' \
	'gpu-pte -p skl -m pml4 -l pde 0x18080008b' 'READ_WRITE +0x1 +yes'
task 'What does this address map to?' \
	'gpu-ptwalk -s demo:skl-hang 0x200000000' '^0x200000000  -> 0x180410000  64K page'
task 'Decode this register value.' \
	'gpu-regdump -p skl --decode RING_FAULT_REG=0x12b' 'FAULT_TYPE +0x1 +invalid PDE'
task 'Which platform has this register?' \
	'gpu-db show FAULT_TLB_DATA0' '^  on +bdw\.\.dg1'
task 'What changed between two dumps?' \
	"gpu-regdump --diff $made/i915-6.1-tgl-second.gz $made/i915-6.1-tgl-away.gz rcs0.ACTHD" \
	'^0x00?2074.*rcs0.ACTHD'
task 'Is this surface tiled?' \
	'gpu-fault -v -s demo:snb-hang' '^3 .* 0x00500000-0x0051ffff  Y  pitch 1024'
task 'Write a report for a bug.' \
	'gpu-report -s demo:skl-hang -o hang.html; head -n 1 hang.html' '^<!DOCTYPE html>'

finish
