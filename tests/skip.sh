# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the lib.sh of each suite: tests that cannot run.

# What a test takes is not here: it is skipped, but with CI=true that is a failure, for
# ./bootstrap test has installed all that can be.
skip() {
	echo "SKIP: $*" >&2
	[ "${CI:-}" = true ] && exit 1
	exit 77
}

# There is nothing for it to do here, whatever is installed.
pass_by() {
	echo "SKIP: $*" >&2
	exit 77
}

# needs COMMAND...: ours that may not be built, others that may not be installed
needs() {
	for _need; do
		command -v "$_need" >/dev/null || skip "no $_need here"
	done
}
