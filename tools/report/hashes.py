# SPDX-License-Identifier: MIT
"""report-hashes.py REPORT.css MAP.css REPORT.js OUT: the hashes of what stands in a report between
<style>, <script> and their ends, as Content-Security-Policy wants them."""
import base64
import hashlib
import sys


def policy_hash(*paths):
    digest = hashlib.sha256(b"\n")
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read())
    return "'sha256-" + base64.b64encode(digest.digest()).decode() + "'"


report_css, map_css, report_js, out = sys.argv[1:]
with open(out, "w", encoding="utf-8") as header:
    header.write(f'#define STYLE_HASH "{policy_hash(report_css, map_css)}"\n')
    header.write(f'#define SCRIPT_HASH "{policy_hash(report_js)}"\n')
