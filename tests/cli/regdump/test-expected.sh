#!/bin/sh
# SPDX-License-Identifier: MIT
# The text of the demos, to the letter, as tests/data/expected/ has it. After a change that is meant:
#
#   UPDATE=1 BUILD_TOOLS=build/tools tests/cli/test-expected.sh
#
# writes those files anew; read the difference before it is committed.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump
expected=$data/expected

while read -r name arguments; do
	title "$name"
	# shellcheck disable=SC2086
	run gpu-regdump $arguments
	expect_status 0
	[ -z "${UPDATE:-}" ] || cp "$out" "$expected/$name.txt"
	cmp -s "$out" "$expected/$name.txt" ||
		fail "$(diff -u "$expected/$name.txt" "$out" 2>&1 | head -n 20)"
done <<END
snb-hang-ring --from demo:snb-hang rcs0.RING_BUFFER_*
snb-hang-fault --from demo:snb-hang @fault
snb-hang-fences --from demo:snb-hang FENCE
snb-hang-range --from demo:snb-hang 0x2030-0x20cf
skl-hang-ring --from demo:skl-hang rcs0.RING_BUFFER_*
skl-hang-fault --from demo:skl-hang @fault
skl-hang-verbose --from demo:skl-hang -v rcs0.RING_MODE
skl-hang-field --from demo:skl-hang rcs0.RING_BUFFER_CONTROL:BUFFER_LENGTH
skl-hang-config --from demo:skl-hang GGC BDSM
skl-hang-range --from demo:skl-hang 0x2030-0x20cf
skl-hang-reset --diff reset demo:skl-hang rcs0.RING_BUFFER_*
icl-trtt-ring --from demo:icl-trtt rcs0.RING_BUFFER_*
icl-trtt-trtt --from demo:icl-trtt @trtt
icl-list -p icl --list rcs0.RING_BUFFER_*
snb-icl-diff -p icl --diff demo:snb-hang demo:icl-trtt rcs0.RING_BUFFER_*
END
finish
