#!/bin/sh
# SPDX-License-Identifier: MIT
# gpuscope.h stands alone, in C11 and C++17.
. "$(dirname "$0")/lib.sh"
header=$SOURCE/lib/gpuscope.h

# compiles TITLE COMPILER OPTIONS...
compiles() {
	what=$1
	shift
	"$@" -Wall -Wextra -pedantic -Werror -fsyntax-only >"$work/log" 2>&1 ||
		fail "$what: $(head -n 3 "$work/log")"
}

printf '#include "%s"\n#include "%s"\nint main(void) { return !gpuscope_version(); }\n' "$header" "$header" \
	>"$work/twice.c"
cp "$work/twice.c" "$work/twice.cc"
compiles C11 ${CC:-cc} -std=c11 "$work/twice.c"
compiles C17 ${CC:-cc} -std=c17 "$work/twice.c"
if command -v ${CXX:-c++} >/dev/null; then
	compiles C++17 ${CXX:-c++} -std=c++17 "$work/twice.cc"
	compiles C++11 ${CXX:-c++} -std=c++11 "$work/twice.cc"
fi

# Nothing of the library's inside, and no configuration in it.
grep -n '^#include "' "$header" && fail 'it includes a header of the project'
grep -nE '^# *(if|ifdef|ifndef) ' "$header" | grep -vE '__cplusplus|GPUSCOPE_H' &&
	fail 'it depends on how it was configured'
finish
