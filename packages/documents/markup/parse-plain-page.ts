import { collapseSpace } from "@deputize/ground";
import { walkMarkup } from "./walk-markup.ts";

interface PlainPage {
	/** Of the first `<title>`; empty when there is none. */
	readonly title: string;
	readonly text: string;
}

const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "title"]);
/** The tokenizer reads these up to their end tag as raw text, so what they contain is never text of the page. */
const RAW = new Set(["script", "style", "title"]);
const BREAKING = new Set(
	"p div br li tr h1 h2 h3 h4 h5 h6 pre section article table ul ol dl dt dd blockquote hr main body".split(
		" ",
	),
);

/**
 * The words of a page in one pass, without a tree. For pages that are too deep, too large or too slow for the real
 * conversion: structure is lost, text is not.
 */
export function parsePlainPage(html: string): PlainPage {
	const parts: string[] = [];
	let title: string | undefined;
	/** The element that is being left out, how many of its name are open, and the text in it. */
	let skipped: { readonly name: string; depth: number; readonly withheld: string[] } | undefined;

	walkMarkup(html, {
		open(name, _attributes, empty) {
			if (skipped) {
				if (name === skipped.name && !empty) skipped.depth += 1;
				return;
			}
			if (BREAKING.has(name)) parts.push("\n");
			if (SKIPPED.has(name) && !empty) skipped = { name, depth: 1, withheld: [] };
		},
		close(name) {
			if (skipped) {
				if (name !== skipped.name) return;
				skipped.depth -= 1;
				if (skipped.depth > 0) return;
				if (name === "title") title ??= skipped.withheld.join("");
				skipped = undefined;
				parts.push("\n");
			} else if (BREAKING.has(name)) parts.push("\n");
		},
		text: (text) => void (skipped?.withheld ?? parts).push(text),
	});
	// An element that never ends would take the rest of the page with it.
	if (skipped && !RAW.has(skipped.name)) parts.push("\n", skipped.withheld.join(""));
	return { title: collapseSpace(title ?? ""), text: tidyLines(parts.join("")) };
}

/** At most one empty line in a row, and one space between words. */
function tidyLines(text: string): string {
	const lines: string[] = [];
	for (const line of text.split("\n")) {
		const tidy = line.replace(/[\t\f\r \u00a0]+/g, " ").trim();
		if (tidy !== "" || lines.at(-1) !== "") lines.push(tidy);
	}
	return lines.join("\n").trim();
}
