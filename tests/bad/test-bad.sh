#!/bin/sh
# SPDX-License-Identifier: MIT
# What python3 is needed for, or the Markdown table of what it expects (--agree).
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/skip.sh
. "$here/../skip.sh"
needs python3
exec python3 -B "$here/bad.py" "$@"
