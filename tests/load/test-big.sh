#!/bin/sh
# SPDX-License-Identifier: MIT
# An i915 error state of 3 GiB, packed and as it is: what stands in its last lines counts as what
# stands in the first, and memory stays far below its size. Most of it is a hole, which is one line
# of zeros to a reader; in front of it are dwords, more than are read of one buffer.
. "$(dirname "$0")/lib.sh"
! sanitized || pass_by 'too long with a sanitizer'
needs gzip
wants gzip

{
	cat "$tests/data/error-state.txt"
	echo 'rcs0 --- user = 0x00000001 00000000'
	yes '00000000 :  7a000004' | head -n 1000000
} >"$work/head"
cat >"$work/tail" <<'EOF'

bcs0 command stream:
  START: 0x00400000
  HEAD:  0x00000010 [0x00000000]
  TAIL:  0x00000020 [0x00000000, 0x00000000]
  CTL:   0x00003001
  ACTHD: 0x00000000 00000010
EOF
cp "$work/head" "$work/state"
truncate -s 3G "$work/state" 2>/dev/null || skip 'no sparse files of 3 GiB here'
cat "$work/tail" >>"$work/state"
# A file of many members is unpacked as one.
head -c $((64 << 20)) /dev/zero | gzip -1 >"$work/zeros"
{
	gzip -1 <"$work/head"
	for _ in $(seq 48); do
		cat "$work/zeros"
	done
	gzip -1 <"$work/tail"
} >"$work/state.gz"
TMPDIR=$work
export TMPDIR

for state in state.gz state; do
	title "$state of 3 GiB"
	quickly 20 256 gpu-fault "$work/$state"
	expect_status 6
	expect_out_has '7a000004 PIPE_CONTROL'
	expect_out_has 'head 0x10, tail 0x20'
	expect_err_line '*: more lines of this kind, left out, *'
done
finish
