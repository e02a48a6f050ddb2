#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the names of all commands: the list that tools/meson.build goes by.
sed -n "/^names = \[/{s/.*\[\(.*\)\].*/\1/;s/'\([a-z]*\)',*/gpu-\1/g;p;}" \
	"$(dirname "$0")/../tools/meson.build" | grep '^gpu-'
