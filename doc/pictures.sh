#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh TOOLS: makes report.png and map.svg of this folder, the pictures of README.md, from the
# built-in capture of a hang. What they show depends on neither the date nor the machine, but fonts.
set -eu
tools=$(cd "${1:?the folder of the commands}" && pwd)
cd "$(dirname "$0")"
for program in chromium pngquant; do
	if ! command -v $program >/dev/null; then
		echo "pictures.sh: $program: not found; to install it: sudo apt install $program" >&2
		exit 1
	fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH

"$tools/gpu-report" -s demo:skl-hang -o "$work/report.html"
# Chromium refuses to run as root inside its sandbox; the page is ours and loads nothing.
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1270 \
	--user-data-dir="$work/home" --screenshot="$work/report.png" "file://$work/report.html" \
	>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
pngquant --strip --speed 1 32 --output "$work/small.png" "$work/report.png"
"$tools/gpu-ptwalk" -s demo:skl-hang --svg >"$work/map.svg"
cp "$work/small.png" report.png
cp "$work/map.svg" map.svg
