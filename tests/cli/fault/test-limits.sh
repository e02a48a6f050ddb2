#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault: what limits the speed of a GPU, from the registers of each generation.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault jq

# registers ADDRESS=VALUE...: a dump with an idle engine, and these
registers() {
	printf '0x%08x: 0x%08x\n' 0x2030 0 0x2034 0 0x203c 1 0x2074 0 0x206c 0 >"$work/dump.txt"
	for pair; do
		printf '0x%08x: 0x%08x\n' $((${pair%%=*})) $((${pair#*=})) >>"$work/dump.txt"
	done
}

# speed PLATFORM SENTENCE: what follows what the engines do
speed() {
	title "$1: ${2:-nothing}"
	run gpu-fault -q -p "$1" "$work/dump.txt"
	expect_status 0
	case $(cat "$out") in
	*"${2:+ $2}") ;;
	*) fail "it is: $(cat "$out")" ;;
	esac
	[ -n "$2" ] || expect_out_lacks 'GPU (runs|is)'
	run gpu-fault -j -p "$1" "$work/dump.txt"
	cp "$out" "$work/$1.json"
}

# Frequencies in steps of 50 MHz: in RPNSWREQ bits 30:25, later 31:24; in RPSTAT1 14:8, 13:7.
registers 0xa008=0x2c000000 0xa01c=0x0e00 0x145998=0x0007161a
speed snb 'The GPU runs at 700 of 1300 MHz, 1100 MHz requested.'
expect_json '.limits | [.requested, .actual, .rp0, .rpn, .reasons, .since, .min]' \
	'[1100,700,1300,350,null,null,null]'
registers 0xa008=0x16000000 0xa01c=0x0b00 0x145998=0x00041616
speed hsw 'The GPU runs at 1100 of 1100 MHz.'

# In steps of 50/3 MHz since Skylake, where only RP_STATE_CAP counts as before.
registers 0xa008=0x1e000000 0xa01c=0x0a800000 0x145998=0x00070617
speed skl 'The GPU runs at 350 of 1150 MHz, 1000 MHz requested.'

# Ice Lake's register of reasons, and what it has latched.
registers 0xa01c=0x1e000000 0x145998=0x00061216 0x1381a8=0x00200000
speed icl 'The GPU runs at 1000 of 1100 MHz; nothing limits it now; since boot limited by: running average of the thermal limit (RATL).'
expect_json '.limits | [.reasons, .since]' '[[],["RATL"]]'
registers 0xa01c=0x1e000000 0x145998=0x00061216 0x1381a8=0
speed icl 'The GPU runs at 1000 of 1100 MHz; nothing limits it.'

# Tiger Lake has the frequency elsewhere; 0 is RC6, unless all is 0.
registers 0xa008=0x1f800000 0x1381b4=0x9012 0x145998=0x000e0620 0x1381a8=0x0ce30ce3
speed tgl 'The GPU runs at 300 of 1600 MHz, 1050 MHz requested, limited by: short-term package power (POWER_LIMIT_2), package power (POWER_LIMIT_1), design current of the voltage regulator (VR_TDC), hot voltage regulator (VR_THERMALERT), running average of the thermal limit (RATL), thermal (THERMAL_LIMIT), thermal (PROCHOT).'
registers 0x1381b4=0x12 0x145998=0x000e0620
speed tgl 'The GPU is asleep (RC6).'
expect_json '.limits | [.asleep, .actual]' '[true,null]'
registers 0x138060=3 0x145998=0x000e0620
speed tgl 'The GPU is asleep (RC6).'
registers 0x1381b4=0 0x145998=0 0xa008=0
speed tgl ''
expect_json '.limits' null
registers 0x145998=0x000e0620
speed tgl ''
expect_json '.limits | [.rp0, .asleep]' '[1600,null]'
registers 0x1381a8=1
speed tgl 'The GPU is slowed down, limited by: thermal (PROCHOT).'
registers 0x1381a8=0xffffffff 0x1381b4=0xffffffff
speed tgl ''

# Meteor Lake: a media GT of its own.
registers 0xc60=0x3c 0x138000=0x00060087 0x1381a8=0 0x380c60=0x18 0x138020=0x0006004e 0x138030=0x100
speed mtl 'The GPU runs at 1000 of 2250 MHz; nothing limits it. GT 1 runs at 400 of 1300 MHz, limited by: peak package power (POWER_LIMIT_4).'
expect_json '.limits | [.actual, .rpn, (.other_gts[] | [.actual, .rp0, .reasons])]' \
	'[1000,100,[400,1300,["POWER_LIMIT_4"]]]'
registers 0xc60=0x600 0x138000=0x00060087
speed mtl 'The GPU is asleep (RC6).'
registers 0xc60=0x1e00 0x138000=0x00060087
speed bmg 'The GPU is asleep (RC6).'

# Crescent Island has other reasons at the same bits.
registers 0xc60=0x3c 0x138000=0x00060087 0x1381a8=0x8020 0x1a030=0 0x1a034=0 0x1a03c=1
speed cri 'The GPU runs at 1000 of 2250 MHz, limited by: critical system power (PSYS_CRIT), power brake (PWRBRK).'

# A capture whose lines of files are odd, and one that is not.
mkdir -p "$work/capture/gpuscope" "$work/capture/mmio"
printf '\0\0\0\0\0\0\0\0' >"$work/capture/mmio/0x2030.bin"
printf '\1\0\0\0' >"$work/capture/mmio/0x203c.bin"
cat >"$work/capture/gpuscope/info" <<'END'
format: 1
platform: tgl
sysfs:
sysfs: drm/card0/gt/gt0/rps_act_freq_mhz
sysfs: drm/card0/gt/gt0/rps_act_freq_mhz fast
sysfs: drm/card0/gt/gt9/rps_act_freq_mhz 100
sysfs: drm/card0/gt/gt0/throttle_reason_ 1
sysfs: drm/card0/gt/gt0/throttle_reason_status 1
sysfs: drm/card0/gt/gt1/throttle_reason_ratl 1
sysfs: drm/card0/gt/gt1/throttle_reason_v 1
sysfs: drm/card0/gt/gt0/rc6_residency_ms 0
sysfs: drm/card0/gt_act_freq_mhz 850
END
(cd "$work/capture" && tar --format=ustar -cf "$work/dump.txt" gpuscope/info mmio)
speed tgl 'The GPU runs at 850 MHz. GT 1 is slowed down, limited by: running average of the thermal limit (RATL).'

run gpu-fault -j -s "$work/dump.txt"
expect_json '[.limits.rc6_residency, .limits.other_gts[0].reasons]' '[0,["RATL"]]'

title 'a dump without such registers says nothing of limits, with a hang neither'
run gpu-fault -j -s demo:skl-hang
expect_json '.limits' null
run gpu-fault -q -s demo:snb-hang
expect_out_lacks 'The GPU'
expect_schemas
finish
