#!/bin/sh
# SPDX-License-Identifier: MIT
# What limits the speed of a GPU: files of i915 and xe, live and out of a capture.
: "${GPU_FAULT:?the built gpu-fault}" "${GPU_SNAP:?the built gpu-snap}"
. "$(dirname "$0")/lib.sh"

# put FOLDER FILE=VALUE...
put() {
	folder=$1
	shift
	mkdir -p "$folder"
	for pair; do
		echo "${pair#*=}" >"$folder/${pair%%=*}"
	done
}

# speed COMMAND...: what gpu-fault's verdict says after what the engines do
speed() {
	in_sys "$@" 2>/dev/null | sed -n 's/^.*[0-9] unknown\. \(.*\)$/\1/p'
}

# An Arc A770 whose firmware shows a part of its memory, and whose driver is i915.
fresh
fake_gpu 0000:03:00.0 0x56a0 0x08 16
fake_aperture 256
held_awake
poke "$gpu/resource0" 0x1083a0 0x1000
poke "$gpu/resource0" 0x203c 1
put "$gpu/drm/card0/gt/gt0" rps_act_freq_mhz=600 rps_cur_freq_mhz=2000 rps_min_freq_mhz=300 \
	rps_max_freq_mhz=2400 rps_RP0_freq_mhz=2400 rps_RPn_freq_mhz=300 rc6_residency_ms=123456 \
	media_RP0_freq_mhz=1200 throttle_reason_status=1 throttle_reason_pl1=1 throttle_reason_pl2=0 throttle_reason_thermal=1
put "$gpu/drm/card0" gt_act_freq_mhz=601 gt_RP0_freq_mhz=2401
put "$gpu/hwmon/hwmon4" name=i915 power1_max=150500000 power1_rated_max=225000000 \
	energy1_input=987654321
put "$sys/kernel/debug/dri/0" i915_wedged=0
want='The GPU runs at 600 of 2400 MHz, 2000 MHz requested, limited by: package power (POWER_LIMIT_1), thermal (THERMAL_LIMIT). BAR 2 shows 256 of 16384 MB of its memory: enable Resizable BAR in the firmware'\''s setup. Its power is limited to 150.5 of 225 W.'
same 'i915' "$(speed "$GPU_FAULT" -q)" "$want"
in_sys "$GPU_SNAP" save -q -o "$work/i915.tar" 2>/dev/null
same 'out of a capture' "$(speed "$GPU_FAULT" -q "$work/i915.tar")" "$want"
"$GPU_SNAP" save -q -s "$work/i915.tar" --redact -o "$work/redacted.tar" 2>/dev/null
same 'out of a redacted one' "$(speed "$GPU_FAULT" -q "$work/redacted.tar")" "$want"
same 'a file that is only kept' "$("$GPU_SNAP" info -v "$work/redacted.tar" 2>/dev/null |
	grep -c '^sysfs  *hwmon/hwmon4/energy1_input 987654321$')" 1
same 'JSON' "$("$GPU_FAULT" -j "$work/i915.tar" 2>/dev/null | tr -d ' \n' |
	grep -o '"limits":{.*"wedged":[a-z]*}')" \
	'"limits":{"requested":2000,"actual":600,"min":300,"max":2400,"rp0":2400,"rpn":300,"asleep":false,"reasons":["POWER_LIMIT_1","THERMAL_LIMIT"],"since":[],"rc6_residency":123456,"other_gts":[],"bar":268435456,"memory":17179869184,"small_bar":true,"power_limit":150.500,"power_rated":225.000,"wedged":false}'

# In RC6 it has no frequency; the driver's limit is below that of the hardware.
put "$gpu/drm/card0/gt/gt0" rps_act_freq_mhz=0 rps_max_freq_mhz=900 throttle_reason_pl1=0 \
	throttle_reason_thermal=0
rm -r "$gpu/hwmon"
fake_aperture 16384
put "$sys/kernel/debug/dri/0" i915_wedged=1
same 'asleep' "$(speed "$GPU_FAULT" -q)" \
	'The GPU is asleep (RC6); the driver allows 900 MHz. The driver has given the GPU up (wedged).'

# The driver's own list: also out of a capture.
put "$sys/kernel/debug/dri/0" i915_wa_registers='rcs0: Workarounds applied: 1
0x6604: 0x00000000, mask: 0x00000000'
in_sys "$GPU_SNAP" save -q -o "$work/list.tar" 2>/dev/null
same 'a list' "$("$GPU_SNAP" info -v "$work/list.tar" 2>/dev/null | grep -c '^sysfs  *driver-list ')" 2

# Files are read only while it is awake.
echo suspended >"$gpu/power/runtime_status"
same 'suspended' "$(speed "$GPU_FAULT" -q)" ''

# Meteor Lake with xe: the media GT is a second one, whose registers say the rest.
fresh
fake_gpu 0000:00:02.0 0x7d55 0x08 16
held_awake
poke "$gpu/resource0" 0x203c 1
poke "$gpu/resource0" 0x138020 0x0006004e
poke "$gpu/resource0" 0x138030 0x01000100
poke "$gpu/resource0" 0x380c60 0x18
put "$gpu/tile0/gt0/freq0" act_freq=2250 cur_freq=2250 max_freq=2250 rp0_freq=2250 rpn_freq=100
put "$gpu/tile0/gt0/freq0/throttle" status=0 reason_pl1=0 reason_prochot=0 reasons=none
put "$gpu/tile0/gt0/gtidle" idle_status=gt-c0 idle_residency_ms=5 name=gt0-rc
same 'xe' "$(speed "$GPU_FAULT" -q)" \
	'The GPU runs at 2250 of 2250 MHz; nothing limits it. GT 1 runs at 400 of 1300 MHz, limited by: peak package power (POWER_LIMIT_4).'
put "$gpu/tile0/gt0/freq0" act_freq=0
put "$gpu/tile0/gt0/gtidle" idle_status=gt-c6
poke "$gpu/resource0" 0x138030 0
same 'xe, asleep' "$(speed "$GPU_FAULT" -q)" 'The GPU is asleep (RC6).'
finish
