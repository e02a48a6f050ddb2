#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [FOLDER]: pages of gpu-report, of the demos and of the dumps of GPUSCOPE_CORPUS, in
# headless Chromium (Debian: chromium, poppler-utils). Pages, pictures and PDFs stay in FOLDER
# (report-pages), where somebody has to look at them: a test cannot tell that they are understood.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "${1:?the build directory}/tools" && pwd)
folder=${2:-report-pages}
mkdir -p "$folder"
for demo in snb-hang skl-hang icl-trtt; do
	"$tools/gpu-report" -s "demo:$demo" -o "$folder/$demo.html"
done
if [ -d "${GPUSCOPE_CORPUS:-}" ]; then
	for dump in "$GPUSCOPE_CORPUS"/error-state/*error_state.txt \
		"$GPUSCOPE_CORPUS"/error-state/*-head.txt "$GPUSCOPE_CORPUS"/aub/gen9-*.aub; do
		name=${dump##*/}
		"$tools/gpu-report" -s "$dump" -o "$folder/${name%.*}.html" || [ $? = 6 ]
	done
fi
exec python3 "$here/browser.py" "$folder" "$folder"/*.html
