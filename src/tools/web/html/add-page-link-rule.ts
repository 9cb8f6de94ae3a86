import type TurndownService from "turndown";
import { collapseSpace } from "../../../markup/collapse-space.ts";

const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Keeps links to other places of the same page. In a document they lead nowhere; on a page they are its table of
 * contents and its cross references, and one can be followed with `findText`.
 */
export function addPageLinkRule(service: TurndownService): void {
	service.addRule("pageLink", {
		filter: (node) =>
			node.nodeName === "A" &&
			(node.getAttribute("href") ?? "").startsWith("#") &&
			HAS_WORDS.test(node.textContent ?? ""),
		replacement: (content, node) => {
			const href = (node as unknown as { getAttribute(name: string): string }).getAttribute("href");
			const text = collapseSpace(content);
			return text === "" ? content : `[${text}](${href.replaceAll(" ", "%20")})`;
		},
	});
}
