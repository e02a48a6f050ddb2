#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [FOLDER]: pages of gpu-report, of the demos and of the dumps of GPUSCOPE_CORPUS, in
# headless Chromium (Debian: chromium, poppler-utils), with html-validate and axe-core from npm:
# neither may find anything. Pages, pictures and PDFs stay in FOLDER (report-pages), where somebody
# has to look at them: a test cannot tell that they are understood.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "${1:?the build directory}/tools" && pwd)
mkdir -p "${2:-report-pages}"
folder=$(cd "${2:-report-pages}" && pwd)

command -v npm >/dev/null || { echo 'run.sh: npm: not found; to install it: sudo apt install npm'; exit 1; }
# The last html-validate for the Node.js of Debian 12.
npm install --prefix "$folder/npm" --no-audit --no-fund --loglevel=error html-validate@9.0.0 \
	axe-core@4.14.1 || { echo 'run.sh: html-validate, axe-core: npm cannot install them'; exit 1; }

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
cat >"$folder/.htmlvalidate.json" <<END
{ "root": true, "extends": ["html-validate:standard", "html-validate:a11y"] }
END
status=0
"$folder/npm/node_modules/.bin/html-validate" --config "$folder/.htmlvalidate.json" \
	"$folder"/*.html || status=1
AXE=$folder/npm/node_modules/axe-core/axe.min.js
export AXE
python3 "$here/browser.py" "$folder" "$folder"/*.html || status=1
exit $status
