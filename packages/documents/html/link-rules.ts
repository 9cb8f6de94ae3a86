import { collapseSpace } from "@deputize/ground";
import type TurndownService from "turndown";
import { encodeAddress } from "./escape-html.ts";
import { asHtmlNode, attribute, type HtmlNode } from "./html-node.ts";

const PERMALINK_TEXT = /^[\s¶#§🔗]*$/u;
const PERMALINK_CLASS =
	/\b(headerlink|permalink|anchor|anchorjs-link|hash-link|header-anchor|heading-anchor)\b/;
/** Schemes a reader can use. `javascript:` and `data:` are neither a source nor a place to go. */
const USABLE_SCHEME = /^(https?|mailto|tel|ftp|file|doi|urn):/i;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

function resolveAddress(address: string, baseUrl: string | undefined): string {
	const trimmed = address.trim();
	if (ANY_SCHEME.test(trimmed)) return USABLE_SCHEME.test(trimmed) ? trimmed : "";
	if (trimmed === "" || trimmed.startsWith("#")) return "";
	return baseUrl && URL.canParse(trimmed, baseUrl) ? new URL(trimmed, baseUrl).href : trimmed;
}

function isPermalink(node: HtmlNode): boolean {
	if (!attribute(node, "href").includes("#")) return false;
	const text = node.textContent ?? "";
	if (PERMALINK_TEXT.test(text)) return true;
	return PERMALINK_CLASS.test(attribute(node, "class")) && text.trim().length <= 1;
}

/** Links that lead somewhere outside the page. A fragment of the same page keeps its text and loses the link. */
export function addLinkRules(service: TurndownService, baseUrl: string | undefined): void {
	service.addRule("link", {
		filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
		replacement: (content, element) => {
			const node = asHtmlNode(element);
			if (isPermalink(node)) return "";
			const address = resolveAddress(attribute(node, "href"), baseUrl);
			const text = content.replace(/\\?\s*\n\s*/g, " ").trim();
			if (!address || !text) return content;
			const before = /^\s/.test(content) ? " " : "";
			const after = /\s$/.test(content) ? " " : "";
			return `${before}[${text}](${encodeAddress(address)})${after}`;
		},
	});
	service.addRule("image", {
		filter: "img",
		replacement: (_content, element) => {
			const node = asHtmlNode(element);
			const alternative = collapseSpace(attribute(node, "alt"));
			const address = resolveAddress(attribute(node, "src"), baseUrl);
			if (!alternative && !address) return "";
			return address ? `![${alternative}](${encodeAddress(address)})` : `![${alternative}]()`;
		},
	});
}
