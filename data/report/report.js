/* SPDX-License-Identifier: MIT */
/* Search, and folding of everything at once; the page can be read without. */
(() => {
	"use strict";
	const find = document.getElementById("find"), found = document.getElementById("found");
	const main = document.querySelector("main"), folds = [...main.querySelectorAll("details")];
	/* What has text of its own; headings stay as long as something of theirs does. */
	const HEADS = "h2, h3";
	const TEXTS = ".row, pre > span, pre, p, .way > li, svg:not(.gsc-narrow), " + HEADS;
	const WHOLES = "section, article, details, .scroll, ol, pre";
	/* 0x0000012b is 0x12b. */
	const plain = text => text.toLowerCase().replace(/0x0+(?=[0-9a-f])/g, "0x");
	const words_of = node => node.matches("svg") ?
		[...node.querySelectorAll("text")].map(text => text.textContent).join(" ") :
		node.textContent;
	const texts = [...main.querySelectorAll(TEXTS)]
		.filter(node => !node.matches("pre") || !node.querySelector(":scope > span"))
		.filter(node => !node.parentElement.closest(TEXTS.replace(" pre,", "")))
		.map(node => ({ node, text: plain(words_of(node)) }));
	const wholes = [...main.querySelectorAll(WHOLES)]
		.filter(node => !node.parentElement.closest(".row"));
	let before = null, hits = [], next = 0;

	const heads = texts.map(text => text.node).filter(node => node.matches(HEADS));

	const fold = open => folds.forEach(node => { node.open = open; });
	const remember = () => folds.map(node => node.open);
	const restore = state => folds.forEach((node, i) => { node.open = state[i]; });

	/* Where the browser can, the words themselves are marked. */
	const spots = (node, patterns, ranges) => {
		const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);

		while (walker.nextNode() && ranges.length < 2000)
			for (const pattern of patterns)
				for (const spot of walker.currentNode.data.matchAll(pattern)) {
					const range = new Range();

					range.setStart(walker.currentNode, spot.index);
					range.setEnd(walker.currentNode, spot.index + spot[0].length);
					ranges.push(range);
				}
	};
	const mark = words => {
		const patterns = words.map(word => new RegExp(word.replace(/[^\w]/g, "\\$&")
			.replace(/^0x/, "0x0*"), "gi"));
		const ranges = [];

		if (!window.Highlight)
			return;
		for (const node of hits)
			spots(node, patterns, ranges);
		CSS.highlights.set("found", new Highlight(...ranges));
	};
	const clear = () => {
		for (const node of main.querySelectorAll(".hide"))
			node.classList.remove("hide");
		found.textContent = "";
		hits = [];
		mark([]);
		if (before)
			restore(before);
		before = null;
	};
	/* Of what stands between a heading and the next like it, is anything kept? */
	const leads_on = (head, kept) => {
		for (let node = head.nextElementSibling; node; node = node.nextElementSibling) {
			if (/^H[1-5]$/.test(node.tagName) && node.tagName <= head.tagName)
				return false;
			if (kept.has(node))
				return true;
		}
		return false;
	};
	/* What has the words stays, and what leads to it is unfolded; the rest goes. */
	const search = () => {
		const words = plain(find.value).split(/\s+/).filter(Boolean);
		const kept = new Set();

		if (!words.length)
			return clear();
		before = before || remember();
		hits = [];
		next = 0;
		for (const { node, text } of texts) {
			const fit = words.every(word => text.includes(word));

			node.classList.toggle("hide", !fit);
			if (!fit)
				continue;
			hits.push(node);
			for (let up = node; up && up !== main; up = up.parentElement)
				kept.add(up);
		}
		for (const node of heads)
			node.classList.toggle("hide", !kept.has(node) && !leads_on(node, kept));
		for (const node of wholes) {
			node.classList.toggle("hide", !kept.has(node));
			if (node.tagName === "DETAILS")
				node.open = kept.has(node);
		}
		mark(words);
		found.textContent = hits.length === 1 ? "1 match" : hits.length + " matches";
	};
	let timer, asked = "", printed = null;

	find.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(search, 120);
	});
	/* Enter goes from one to the next. */
	find.form.addEventListener("submit", event => {
		const at = find.value === asked ? next : 0;

		event.preventDefault();
		clearTimeout(timer);
		search();
		asked = find.value;
		if (!hits.length)
			return;
		next = at % hits.length + 1;
		hits[next - 1].scrollIntoView({ block: "center" });
	});
	document.getElementById("fold").addEventListener("click", () => fold(false));
	document.getElementById("unfold").addEventListener("click", () => fold(true));
	/* On paper there is everything, also what a search hides: the style shows it. */
	addEventListener("beforeprint", () => {
		printed = printed || remember();
		fold(true);
	});
	addEventListener("afterprint", () => {
		if (printed)
			restore(printed);
		printed = null;
	});
	/* A link into something folded unfolds it; to something that a search hides ends the search. */
	const reveal = hash => {
		const target = hash.length > 1 && document.getElementById(hash.slice(1));

		if (!target)
			return;
		if (target.closest(".hide")) {
			find.value = "";
			clear();
		}
		for (let up = target; up; up = up.parentElement)
			if (up.tagName === "DETAILS")
				up.open = true;
	};
	addEventListener("click", event => {
		const link = event.target.closest("a[href^='#']");

		if (link)
			reveal(link.getAttribute("href"));
	});
	addEventListener("hashchange", () => reveal(location.hash));
	reveal(location.hash);
	document.getElementById("tools").hidden = false;
})();
