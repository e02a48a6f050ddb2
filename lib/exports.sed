# SPDX-License-Identifier: MIT
# From gpuscope.h to the version script of the library: what the header declares are the symbols of
# GPUSCOPE_1; what the rooms' headers mark GSC_API is for our own commands, and GPUSCOPE_PRIVATE.
1i\
GPUSCOPE_1 {\
global:
/^GSC_API/ s/^GSC_API [^(]*[ *]\(gsc_[a-z0-9_]*\)(.*/\t\1;/p
$a\
};\
GPUSCOPE_PRIVATE {\
global:\
	*;\
local:\
	_init;\
	_fini;\
};
