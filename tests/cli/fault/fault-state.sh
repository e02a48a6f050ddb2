# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced after lib.sh, for error states whose engine met a fault:
#
#   fault_state PAGE ACTHD      one of Skylake, up to its batch at 0x100001000
#   dwords DWORD...             the batch

fault_state() {
	cat <<END
PCI ID: 0x1912
EIR: 0x00000000
FAULT_TLB_DATA: 0x00000000 0x$1
rcs0 command stream:
  START: 0x00010000
  HEAD:  0x00000080
  TAIL:  0x00000100
  CTL:   0x00003001
  ACTHD: 0x00000001 $2
  IPEHR: 0x7a000004
  BB_STATE: 0x00000020
  FAULT_REG: 0x0000012b
  hung: 1
rcs0 --- batch = 0x00000001 00001000
END
}

dwords() {
	_at=0
	for _word; do
		printf '%08x :  %08x\n' $_at "$_word"
		_at=$((_at + 4))
	done
}
