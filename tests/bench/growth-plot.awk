#!/usr/bin/awk -f
# SPDX-License-Identifier: MIT
# growth.sh --markdown | growth-plot.awk >growth.svg: a panel for each group of inputs, a line for
# each command on each of them. Both axes are logarithmic; a grey line is linear growth.
function x(i) { return left + i * 0.5 * (width - left - right) }
function y(seconds) {
	seconds = seconds < least ? least : seconds > most ? most : seconds
	return top + (height - top - bottom) * log(most / seconds) / log(most / least)
}
function group(kind) {
	if (kind ~ /^(submissions|changing|contexts|everything|one-page|scattered)$/)
		return "traces"
	sub(/-.*/, "", kind)
	return kind == "state" ? "error states" : kind == "core" ? "core dumps" : \
	       kind == "log" ? "logs" : kind == "definition" || kind == "definitions" ? \
	       "definitions" : kind == "batch" || kind == "noise" ? "batches" : "others"
}
function panel(name,   i, g, n, at, l) {
	printf("<g transform=\"translate(%d %d)\">\n", shown % 4 * width, int(shown / 4) * height)
	shown++
	printf("<text x=\"%d\" y=\"14\" class=\"title\">%s</text>\n", left, name)
	for (g = least; g <= most * 1.01; g *= 10) {
		printf("<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", left, y(g), width - right)
		printf("<text x=\"%d\" y=\"%.1f\" class=\"y\">%s s</text>\n", left - 4, y(g) + 3, g)
		if (g * 100 <= most * 1.01)
			printf("<path class=\"linear\" d=\"M%d %.1fL%d %.1f\"/>\n", x(0), y(g), x(2),
			       y(g * 100))
	}
	for (i = 0; i < 3; i++)
		printf("<text x=\"%d\" y=\"%d\" class=\"x\">%d</text>\n", x(i), height - bottom + 14,
		       size[i])
	n = split(lines[name], l, "\n")
	for (i = 1; i < n; i++) {
		split(l[i], at, " ")
		printf("<path class=\"line\" d=\"M%d %.1fL%d %.1fL%d %.1f\"/>\n", x(0), y(at[1]),
		       x(1), y(at[2]), x(2), y(at[3]))
	}
	print "</g>"
}
BEGIN {
	FS = " *\\| *"
	width = 230; height = 200; left = 52; right = 14; top = 24; bottom = 24
	least = 0.01; most = 10
}
/^\| input/ { size[0] = $4; sub(/.* /, "", size[0]); size[1] = $5; size[2] = $6; next }
/^\| [a-z]/ {
	name = group($2)
	if (!(name in lines))
		order[count++] = name
	lines[name] = lines[name] $4 " " $5 " " $6 "\n"
}
END {
	rows = int((count + 3) / 4)
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
	       4 * width, rows * height)
	print "<title>Seconds on the processor by the size of the input</title>"
	print "<style>text{font:10px sans-serif;fill:#555}.title{font-weight:bold;fill:#222}" \
	      ".x{text-anchor:middle}.y{text-anchor:end}path{fill:none}.grid{stroke:#ddd}" \
	      ".linear{stroke:#bbb;stroke-dasharray:2 3}.line{stroke:#1a5fb4;stroke-opacity:.5}</style>"
	printf("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", 4 * width, rows * height)
	for (i = 0; i < count; i++)
		panel(order[i])
	print "</svg>"
}
