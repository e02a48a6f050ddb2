# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced first by the lib.sh of each suite: signals, and tests that cannot run.

# What is ignored when a shell starts it cannot change: the script begins anew with all signals as
# they are by default. SIGNALS is the built default-signals.c.
if [ -n "${SIGNALS:-}" ]; then
	_signals=$SIGNALS
	unset SIGNALS
	exec "$_signals" sh "$0" "$@"
fi

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

# built_with FEATURE...: the commands were; the build says so in FEATURES, where it is not set all
# are taken for granted
built_with() {
	for _feature; do
		case " ${FEATURES-$_feature} " in
		*" $_feature "*) ;;
		*) return 1 ;;
		esac
	done
}

# wants FEATURE...: of the build, which may have been left out on purpose
wants() {
	for _wanted; do
		built_with "$_wanted" || pass_by "built without $_wanted"
	done
}

# needs COMMAND...: ours that may not be built, others that may not be installed
needs() {
	for _need; do
		command -v "$_need" >/dev/null || skip "no $_need here"
	done
}
