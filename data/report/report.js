/* SPDX-License-Identifier: MIT */
/* Search, and folding of everything at once; the page can be read without. */
(() => {
	"use strict";
	const find = document.getElementById("find"), found = document.getElementById("found");
	const main = document.querySelector("main"), folds = [...main.querySelectorAll("details")];
	const parts = [...main.querySelectorAll("tbody tr, .commands > li, .facts > div, .story > li")]
		.map(node => ({ node, text: node.textContent.toLowerCase() }));
	const sections = [...main.querySelectorAll("section")]
		.map(node => ({ node, text: node.textContent.toLowerCase() }));
	let before = null;

	const fold = open => folds.forEach(node => { node.open = open; });
	const remember = () => { before = before || folds.map(node => node.open); };
	const restore = () => {
		if (before)
			folds.forEach((node, i) => { node.open = before[i]; });
		before = null;
	};
	const clear = () => {
		for (const node of main.querySelectorAll(".hide"))
			node.classList.remove("hide");
		found.textContent = "";
		restore();
	};
	/* What has the words stays, and what leads to it is unfolded; the rest goes. */
	const search = () => {
		const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
		const fits = text => words.every(word => text.includes(word));
		const kept = new Set();
		let count = 0;

		if (!words.length)
			return clear();
		remember();
		for (const { node, text } of parts) {
			const fit = fits(text);

			node.classList.toggle("hide", !fit);
			if (!fit)
				continue;
			count++;
			for (let up = node.parentElement; up && up !== main; up = up.parentElement)
				kept.add(up);
		}
		for (const node of folds) {
			const inside = kept.has(node), own = fits(node.textContent.toLowerCase());

			if (node.parentElement.matches(".commands > li, td, .levels div"))
				continue;
			node.open = inside;
			node.classList.toggle("hide", !inside && !own);
		}
		for (const { node, text } of sections)
			node.classList.toggle("hide", !kept.has(node) && !fits(text));
		found.textContent = count === 1 ? "1 match" : count + " matches";
	};
	let timer;

	find.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(search, 120);
	});
	find.form.addEventListener("submit", event => { event.preventDefault(); search(); });
	document.getElementById("fold").addEventListener("click", () => fold(false));
	document.getElementById("unfold").addEventListener("click", () => fold(true));
	addEventListener("beforeprint", () => { remember(); fold(true); });
	addEventListener("afterprint", () => { if (!find.value) restore(); });
	/* A link into something folded unfolds it. */
	const reveal = () => {
		const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));

		for (let up = target; up; up = up.parentElement)
			if (up.tagName === "DETAILS")
				up.open = true;
	};
	addEventListener("hashchange", reveal);
	reveal();
	document.getElementById("tools").hidden = false;
})();
