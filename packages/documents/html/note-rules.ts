import type TurndownService from "turndown";
import { asHtmlNode, attribute } from "./html-node.ts";

const REFERENCE = /^#((?:foot|end)note-[\w-]+)$/;
const DEFINITION = /^(?:foot|end)note-[\w-]+$/;
const BACK_LINK = /^#(?:foot|end)note-ref-[\w-]+$/;

/**
 * Footnotes come as links down the page and back; Markdown has its own form for them. They are numbered in the
 * order of their references, because the files count from wherever they like.
 */
export function addNoteRules(service: TurndownService): void {
	const numbers = new Map<string, number>();
	const numberOf = (id: string): number => {
		const number = numbers.get(id) ?? numbers.size + 1;
		numbers.set(id, number);
		return number;
	};
	service.addRule("noteReference", {
		filter: (node) => node.nodeName === "A" && REFERENCE.test(node.getAttribute("href") ?? ""),
		replacement: (_content, element) =>
			`[^${numberOf(REFERENCE.exec(attribute(asHtmlNode(element), "href"))?.[1] ?? "")}]`,
	});
	service.addRule("noteBackLink", {
		filter: (node) =>
			node.nodeName === "A" &&
			(BACK_LINK.test(node.getAttribute("href") ?? "") || node.getAttribute("role") === "doc-backlink"),
		replacement: () => "",
	});
	service.addRule("note", {
		filter: (node) =>
			["LI", "ASIDE", "DIV"].includes(node.nodeName) && DEFINITION.test(node.getAttribute("id") ?? ""),
		replacement: (content, element) => {
			const number = numberOf(attribute(asHtmlNode(element), "id"));
			return `\n\n[^${number}]: ${content.trim().replace(/\n(?=.)/g, "\n    ")}\n\n`;
		},
	});
}
