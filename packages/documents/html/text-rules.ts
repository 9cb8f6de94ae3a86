import type TurndownService from "turndown";
import { asHtmlNode, attribute, childrenOf, type HtmlNode } from "./html-node.ts";

const INVISIBLE_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const NEVER_TEXT = new Set([
	"SCRIPT",
	"STYLE",
	"NOSCRIPT",
	"TEMPLATE",
	"IFRAME",
	"OBJECT",
	"EMBED",
	"HEAD",
	"TITLE",
	"SVG",
	"CANVAS",
	"BUTTON",
	"SELECT",
	"TEXTAREA",
]);

/** What a reader of the page would not see must not reach a model either: hidden text is a place for orders. */
function isInvisible(node: HtmlNode): boolean {
	if (NEVER_TEXT.has(node.nodeName.toUpperCase())) return true;
	if (node.nodeName === "INPUT") return attribute(node, "type") !== "checkbox";
	return (
		node.getAttribute("hidden") !== null ||
		attribute(node, "aria-hidden") === "true" ||
		INVISIBLE_STYLE.test(attribute(node, "style"))
	);
}

function itemPrefix(item: HtmlNode): string {
	const list = item.parentNode;
	if (list?.nodeName !== "OL") return "- ";
	const start = Number.parseInt(attribute(list, "start") || "1", 10);
	const position = childrenOf(list)
		.filter((child) => child.nodeName === "LI")
		.indexOf(item);
	return `${(Number.isFinite(start) ? start : 1) + position}. `;
}

function renderItem(content: string, prefix: string, isLast: boolean): string {
	const indent = " ".repeat(prefix.length);
	const text = content
		.replace(/^\n+/, "")
		.replace(/\n+$/, "")
		.replace(/^(\[[ x]\]) +/, "$1 ");
	const lines = text.split("\n");
	const body = lines.map((line, index) => (index > 0 && line !== "" ? indent + line : line)).join("\n");
	return `${prefix}${body}${isLast ? "" : "\n"}`;
}

export function addTextRules(service: TurndownService): void {
	service.addRule("listItem", {
		filter: "li",
		replacement: (content, element) => {
			const item = asHtmlNode(element);
			return renderItem(content, itemPrefix(item), item.nextSibling === null);
		},
	});
	service.addRule("math", {
		filter: (node) => node.nodeName.toLowerCase() === "math",
		replacement: (content, element) => {
			const node = asHtmlNode(element);
			const tex = node.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
			const formula = (tex ?? (attribute(node, "alttext") || content)).trim();
			return formula ? `$${formula}$` : "";
		},
	});
	service.addRule("invisible", {
		filter: (node) => isInvisible(asHtmlNode(node)),
		replacement: () => "",
	});
}
