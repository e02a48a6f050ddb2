#!/bin/sh
# SPDX-License-Identifier: MIT
# The hooks of apport and ABRT, with a report and a problem that are made up: what they add of a hang,
# and that they leave alone what has nothing to do with it.
. "$(dirname "$0")/lib.sh"
needs gpu-collect gpu-fault gpu-snap jq python3
hooks=$tests/../data/collect
# A build of a package sets the time of the store's records, and the hooks want a hang of now.
unset SOURCE_DATE_EPOCH
abrt=$hooks/abrt-gpu-hang

# The hooks read the store of the system: here, another one.
mkdir "$work/bin"
real=$(command -v gpu-collect)
cat >"$work/bin/gpu-collect" <<END
#!/bin/sh
exec "$real" -D "$store" "\$@"
END
cat >"$work/bin/busctl" <<'END'
#!/bin/sh
printf '%s\n' "$@"
END
chmod +x "$work/bin/gpu-collect" "$work/bin/busctl"
PATH=$work/bin:$PATH

# report KEY=VALUE...: what the hook of apport adds to a report, as JSON; the archive becomes archive.tar.zst
cat >"$work/report.py" <<'END'
import importlib.util, json, sys

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("gpuscope_hook", sys.argv[1])
hook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hook)
report = dict(word.split("=", 1) for word in sys.argv[2:])
given = set(report)
hook.add_info(report, None)
for key, value in report.items():
    assert key.replace(".", "").isalnum() and isinstance(value, (str, bytes)), key
if "GpuHang.tar.zst" in report:
    with open("archive.tar.zst", "wb") as file:
        file.write(report.pop("GpuHang.tar.zst"))
print(json.dumps({key: report[key] for key in report if key not in given}))
END
report() {
	run_lenient python3 "$work/report.py" "$hooks/gpuscope.py" "$@"
	expect_status 0
	expect_err_empty
}

# problem TYPE [ELEMENT]: the hook of ABRT in a problem of that type, which may have an element
problem() {
	rm -rf "$work/problem"
	mkdir "$work/problem"
	printf %s "$1" >"$work/problem/type"
	[ $# = 1 ] || printf x >"$work/problem/$2"
	cd "$work/problem" || exit 1
	run_lenient "$abrt"
	cd "$work" || exit 1
}

title 'no hang'
fresh
report ProblemType=KernelOops SourcePackage=linux
expect_out '{}'
problem gpu-hang
same 'status' "$status" 1
expect_err_line 'abrt-gpu-hang: no hang of an Intel GPU was stored since the machine started'
same 'elements' "$(ls "$work/problem")" type

title 'a hang'
error "$made/i915-6.12-skl-second.gz"
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
save
expect_status 0
signature=skl/rcs0/MI_BATCH_BUFFER_START/loop
verdict=$(gpu-fault -q "$sys/class/drm/card0/error")
report ProblemType=Bug 'Package=linux-image-6.12.0-1-amd64 6.12.0-1' SourcePackage=linux
expect_json . "{\"GpuVerdict\":\"$verdict\",\"GpuSignature\":\"$signature\",\"GpuHangs\":\"1\",\"DuplicateSignature\":\"gpuscope:$signature\"}"
run gpu-snap info archive.tar.zst
expect_out_has '^redacted '
zstd -dcq archive.tar.zst | grep -aq hang-i915 && fail 'the archive names the process'
for key in Package SourcePackage; do
	report "$key=mesa-vulkan-drivers"
	expect_json .GpuSignature "\"$signature\""
done

title 'what has a signature of its own keeps it'
for key in OopsText CoreDump DuplicateSignature; do
	report ProblemType=KernelOops "$key=x"
	expect_json '[.GpuSignature, .DuplicateSignature]' "[\"$signature\",null]"
done

title 'what is not about graphics'
for package in bash linuxdoc libxorg; do
	report ProblemType=Crash "Package=$package 1.0" CoreDump=x
	expect_out '{}'
done

title 'ABRT'
problem gpu-hang
same 'status' "$status" 0
same 'elements' "$(ls "$work/problem" | tr '\n' ' ')" 'duphash gpu_hang.tar.zst gpu_signature gpu_verdict type uuid '
same 'duphash' "$(cat "$work/problem/duphash")" "$signature"
same 'verdict' "$(cat "$work/problem/gpu_verdict")" "$verdict"
run gpu-snap info "$work/problem/gpu_hang.tar.zst"
expect_out_has '^redacted '
problem Kerneloops
same 'elements of an oops' "$(ls "$work/problem" | tr '\n' ' ')" 'gpu_hang.tar.zst gpu_signature gpu_verdict type '
problem gpu-hang duphash
same 'a duphash that is there' "$(cat "$work/problem/duphash")" x
problem Kerneloops gpu_verdict
same 'status where an element is there' "$status" 1

title 'a link is not followed'
rm -rf "$work/problem"
mkdir "$work/problem"
printf gpu-hang >"$work/problem/type"
ln -s "$work/victim" "$work/problem/gpu_signature"
cd "$work/problem" || exit 1
run_lenient "$abrt"
cd "$work" || exit 1
same 'status' "$status" 1
[ ! -e "$work/victim" ] || fail 'it was'

title 'a new problem'
run_lenient "$abrt" new
same 'status' "$status" 0
same 'what D-Bus is told' "$(sed -n '/^reason$/,$p' "$out" | tr '\n' '|')" "reason|s|$verdict|duphash|s|$signature|uuid|s|$signature|0|"
run_lenient "$abrt" old
same 'status' "$status" 1

title 'the last of several; quotes and backslashes'
printf '[   80.000000] i915 0000:00:02.0: [drm] *ERROR* a "quote" and a \\ backslash, "last":9,\n' >>"$work/log"
line 81.0 9:1:12345678 'other "signature":"x" [9]'
save
list
last=$(jq -r '.hangs | max_by(.last) | .signature' <"$out")
report SourcePackage=linux
expect_json .GpuSignature "\"$last\""
problem gpu-hang
same 'duphash' "$(cat "$work/problem/duphash" 2>/dev/null)" "$last"
same 'verdict' "$(cat "$work/problem/gpu_verdict" 2>/dev/null)" "$(gpu-collect list --json | jq -r '.hangs | max_by(.last) | .verdict')"

title 'an old hang'
for file in "$store"/*.fields; do
	sed -i 's/^GPU_LAST=.*/GPU_LAST=1000000000/' "$file"
done
report SourcePackage=linux
expect_out '{}'
problem gpu-hang
expect_err_line 'abrt-gpu-hang: the last hang was more than 600 seconds ago'

title 'a hang of another boot'
for file in "$store"/*.fields; do
	sed -i "s/^GPU_LAST=.*/GPU_LAST=$(date +%s)/; s/^GPU_BOOT_ID=.*/GPU_BOOT_ID=00000000000000000000000000000000/" "$file"
done
report SourcePackage=linux
expect_out '{}'

title 'gpu-collect is not there'
PATH=/usr/bin:/bin
command -v gpu-collect >/dev/null || {
	report SourcePackage=linux
	expect_out '{}'
}

title 'the files themselves'
run_lenient sh -n "$abrt"
same 'sh -n' "$status" 0
sed -n 's/^	//p' "$hooks/gpuscope_event.conf.in" >rules
run_lenient sh -n rules
same 'programs of the rules' "$status$(wc -l <rules)" 06
same 'lines that are no rule' "$(grep -Ev '^(#|$|	|EVENT=[a-zA-Z_-]+ type=[a-zA-Z-]+( remote!=1)?$)' "$hooks/gpuscope_event.conf.in")" ''
if command -v pyflakes3 >/dev/null; then
	run_lenient pyflakes3 "$hooks/gpuscope.py"
	same 'pyflakes' "$(cat "$out" "$err")" ''
fi
finish
