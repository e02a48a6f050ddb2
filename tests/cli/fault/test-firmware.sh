#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault: the firmware that a driver found and wants, from logs and dumps.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault jq

# tells FILE [KIND,PATH,FOUND,WANTED,STATE]...
tells() {
	file=$1
	shift
	run gpu-fault --json "$file"
	expect_status 0
	same "firmware of $file" "$(jq -r '.firmware[] | [.kind, .path, .found, .wanted, .state] |
		map(. // "-") | join(",")' "$out")" "$(printf '%s\n' "$@")"
	cp "$out" "$work/kept-$(basename "$file").json"
}

title 'a log: what the driver says, and what the definitions add'
cat >"$work/old" <<'LOG'
[    0.0] Linux version 6.12.48+deb13-amd64 (debian-kernel@lists.debian.org)
[    2.0] xe 0000:00:02.0: [drm] Found lunarlake (device ID 64a0) integrated display version 20.00
[    2.1] xe 0000:00:02.0: [drm] Finished loading DMC firmware i915/xe2lpd_dmc.bin (v2.21)
[    2.2] xe 0000:00:02.0: [drm] Tile0: GT0: Using GuC firmware from xe/lnl_guc_70.bin version 70.20.0
[    2.3] xe 0000:00:02.0: [drm] Tile0: GT1: Using HuC firmware from xe/lnl_huc.bin version 9.4.13
[    2.4] xe 0000:00:02.0: [drm] Tile0: GT1: Using GSC firmware from xe/lnl_gsc_1.bin version 104.0.0.1263
[   60.1] xe 0000:00:02.0: [drm] Tile0: GT0: Timedout job: seqno=4294967169, lrc_seqno=4294967169, guc_id=3, flags=0x0 in glxgears [812]
LOG
tells "$work/old" dmc,i915/xe2lpd_dmc.bin,2.21,-,'as wanted' \
	guc,xe/lnl_guc_70.bin,70.20.0,70.29.2,'too old' huc,xe/lnl_huc.bin,9.4.13,-,'as wanted' \
	gsc,xe/lnl_gsc_1.bin,104.0.0.1263,-,'as wanted'
expect_json '.firmware[1] | [.driver, .kernel, .package]' \
	'["xe","6.12.48","firmware-intel-graphics (Debian 13)"]'
run gpu-fault "$work/old"
expect_out_has '^firmware: xe/lnl_guc_70.bin: xe of Linux 6.12.48 wants 70.29.2, found 70.20.0: too old; package firmware-intel-graphics .Debian 13.$'
expect_out_lacks 'lnl_huc|# firmware'
run gpu-fault -q "$work/old"
expect_out_lacks 'firmware: '
run gpu-fault -v "$work/old"
expect_out_has '^# firmware$'
expect_out_has '^huc       xe/lnl_huc.bin: found 9.4.13: as wanted$'
expect_out_has '^packages  firmware-intel-graphics .Debian 13.$'

title 'without a hang nothing is said about it, unless asked'
sed '$d' "$work/old" >"$work/calm"
run gpu-fault "$work/calm"
expect_out_lacks 'lnl_guc'
expect_status 0

title 'a version that the driver refuses, without the file'
cat >"$work/refused" <<'LOG'
[    5.4] xe 0000:00:02.0: [drm] *ERROR* GT0: Unsupported GuC v70.20.0! v70.29.2 or newer is required
[    5.5] xe 0000:00:02.0: [drm] *ERROR* GT0: GuC init failed with -EINVAL
[    5.6] xe 0000:00:02.0: probe with driver xe failed with error -22
LOG
tells "$work/refused" guc,-,70.20.0,70.29.2,'too old'
run gpu-fault "$work/refused"
expect_out_has '^firmware: xe wants 70.29.2, found 70.20.0: too old'
expect_out_has '^The driver xe failed to start the GPU: error -22 .line 3., so nothing works on it[.] First .line 1, 5[.]4.: the GuC'

title 'in the words of i915 and xe; a second file instead of a missing one; newer; missing'
cat >"$work/words" <<'LOG'
[    0.0] Linux version 6.8.0-45-generic (buildd@lcy02) #45-Ubuntu SMP
[    2.0] i915 0000:00:02.0: [drm] Found alderlake_p (device ID 46a6) integrated display version 13.00
[    2.1] i915 0000:00:02.0: Direct firmware load for i915/adlp_dmc.bin failed with error -2
[    2.2] i915 0000:00:02.0: [drm] Finished loading DMC firmware i915/adlp_dmc_ver2_16.bin (v2.16)
[    2.3] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.bin (70.12.1) is recommended, but only i915/adlp_guc_70.1.1.bin (70.1.1) was found
[    2.4] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.1.1.bin version 70.1.1
[    2.5] i915 0000:00:02.0: [drm] *ERROR* GT0: HuC firmware i915/tgl_huc.bin: fetch failed -ENOENT
[    9.0] xe 0000:03:00.0: [drm] GT0: Using GuC firmware from i915/dg2_guc_70.bin version 70.44.1
[    9.1] xe 0000:03:00.0: [drm] GuC firmware (70.53.0) is recommended, but only (70.44.1) was found in i915/dg2_guc_70.bin
[    9.2] xe 0000:04:00.0: [drm] GuC firmware xe/bmg_guc_70.bin: unexpected version: 69.0.3 != 70.29.2
LOG
tells "$work/words" dmc,i915/adlp_dmc_ver2_16.bin,2.16,i915/adlp_dmc.bin,'too old' \
	guc,i915/adlp_guc_70.1.1.bin,70.1.1,70.12.1,'too old' huc,i915/tgl_huc.bin,-,-,missing \
	guc,i915/dg2_guc_70.bin,70.44.1,70.53.0,'too old' \
	guc,xe/bmg_guc_70.bin,69.0.3,70.29.2,'too old'
expect_json '.firmware[0].package' '"linux-firmware-intel-graphics (Ubuntu 26.04 and later), linux-firmware (Ubuntu up to 25.10)"'

title 'a file that is too new for the driver, which refuses it'
cat >"$work/new" <<'LOG'
[    2.0] i915 0000:00:02.0: [drm] Found alderlake_p (device ID 46a6) integrated display version 13.00
[    2.3] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.bin: unexpected version: 71.0.0 != 70.12.1
[    2.4] i915 0000:00:02.0: [drm] *ERROR* GT0: GuC firmware i915/adlp_guc_70.bin: fetch failed -ENOEXEC
LOG
tells "$work/new" guc,i915/adlp_guc_70.bin,71.0.0,70.12.1,'too new'
run gpu-fault "$work/new"
expect_out_has '^firmware: i915/adlp_guc_70.bin: i915 wants 70.12.1, found 71.0.0: too new'
expect_out_has 'the GuC firmware is refused, i915/adlp_guc_70.bin$'

title 'a file that xe did not find'
echo '[    2.3] xe 0000:00:02.0: [drm] Tile0: GT1: HuC firmware xe/lnl_huc.bin not found' >"$work/none"
tells "$work/none" huc,xe/lnl_huc.bin,-,-,missing
run gpu-fault "$work/none"
expect_out_has '^firmware: xe/lnl_huc.bin: missing'

title 'kernels of which the definitions know nothing, and hostile versions'
cat >"$work/unknown" <<'LOG'
[    0.0] Linux version 5.14.0-427.el9.x86_64 (mockbuild@x86-64)
[    2.0] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.bin version 70.5.1
[    2.1] i915 0000:00:02.0: [drm] GT0: HuC firmware i915/tgl_huc.bin version 4294967296.4294967295.18446744073709551616
[    2.2] i915 0000:00:02.0: [drm] Finished loading DMC firmware i915/adlp_dmc.bin (v
[    2.3] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_guc_70.bin version 1.1
[    2.4] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/tgl_guc_70.bi
LOG
tells "$work/unknown" guc,i915/adlp_guc_70.bin,70.5.1,-,unknown huc,i915/tgl_huc.bin,-,-,unknown \
	dmc,i915/adlp_dmc.bin,-,-,unknown
expect_json '.firmware[0].kernel' null
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	echo "[ 1.0] i915 0000:00:02.0: [drm] GuC firmware i915/tgl_guc_$i.0.0.bin version $i.0"
done >"$work/many"
run gpu-fault --json "$work/many"
expect_json '.firmware | length' 12
cp "$out" "$work/kept-many.json"

title 'an error state and a core dump'
cat >"$work/state" <<'STATE'
GPU HANG: ecode 12:1:85dffffb, in glxgears [1]
Kernel: 6.7.9-200.fc39.x86_64 x86_64
Driver: 20201103
PCI ID: 0x46a6
PCI Revision: 0x0c
DMC fw version: 2.20
rcs0 command stream:
  START: 0x00001000
  HEAD:  0x00000040
  TAIL:  0x00000080
  IPEHR: 0x7a000004
GuC firmware: i915/adlp_guc_70.bin
GuC firmware wanted: i915/adlp_guc_70.bin
	status: RUNNING
	version: wanted 70.12.1, found 70.5.1
HuC firmware: i915/tgl_huc.bin
HuC firmware wanted: i915/tgl_huc.bin
	status: MISSING
	version: found 0.0.0
STATE
tells "$work/state" dmc,-,2.20,-,'as wanted' guc,i915/adlp_guc_70.bin,70.5.1,70.12.1,'too old' \
	huc,i915/tgl_huc.bin,-,-,missing
expect_json '.firmware[1] | [.driver, .package]' '["i915","intel-gpu-firmware (Fedora)"]'
cat >"$work/core" <<'CORE'
**** Xe Device Coredump ****
Reason: Timedout job - seqno=1
kernel: 7.2.1-arch1-1
module: xe
Process: glxgears [1]
PCI ID: 0x64a0
PCI revision: 0x04

**** GuC Log ****
CRC: 0x0
GuC firmware: xe/lnl_guc_70.bin
GuC version: 70.44.1 (wanted 70.53.0)
CORE
run gpu-fault --json "$work/core"
expect_json '.firmware[] | [.kind, .path, .found, .wanted, .state]' \
	'["guc","xe/lnl_guc_70.bin","70.44.1","70.53.0","too old"]'
cp "$out" "$work/kept-core.json"
expect_json '.firmware[0].package' '"linux-firmware-intel (Arch Linux)"'

title 'the documents fit the schema'
expect_schemas
finish
