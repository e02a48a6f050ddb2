# SPDX-License-Identifier: MIT
# From gpuscope.h to the version script of the library: what the header declares are the symbols of
# GPUSCOPE_1, whatever else it exports (private.h, out/print.h) is GPUSCOPE_PRIVATE.
1i\
GPUSCOPE_1 {\
global:
/^GSC_API/ s/^GSC_API [^(]*[ *]\(gsc_[a-z0-9_]*\)(.*/\t\1;/p
$a\
};\
GPUSCOPE_PRIVATE {\
global:\
	gsc_*;\
local:\
	*;\
};
