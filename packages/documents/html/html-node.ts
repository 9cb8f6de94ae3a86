/**
 * The part of a DOM node the rules look at. Written out because the package is compiled without the browser's
 * types, and because it is all that turndown's own parser is asked for.
 */
export interface HtmlNode {
	readonly nodeName: string;
	readonly nodeType: number;
	readonly nodeValue: string | null;
	readonly textContent: string | null;
	readonly className: string;
	readonly parentNode: HtmlNode | null;
	readonly firstChild: HtmlNode | null;
	readonly nextSibling: HtmlNode | null;
	readonly childNodes: ArrayLike<HtmlNode>;
	getAttribute(name: string): string | null;
	/** Domino answers undefined where the standard says null. */
	querySelector(selector: string): HtmlNode | null | undefined;
	querySelectorAll(selector: string): ArrayLike<HtmlNode>;
}

/** What Turndown hands to a rule: without the types of a browser its own type says nothing. */
export function asHtmlNode(node: object): HtmlNode {
	return node as HtmlNode;
}

export function childrenOf(node: HtmlNode): HtmlNode[] {
	return Array.from(node.childNodes);
}

export function closest(node: HtmlNode, names: readonly string[]): HtmlNode | undefined {
	for (let current = node.parentNode; current; current = current.parentNode)
		if (names.includes(current.nodeName)) return current;
	return undefined;
}

/** Text nodes have no attributes; asking one must not throw. */
export function attribute(node: HtmlNode, name: string): string {
	return node.nodeType === 1 ? (node.getAttribute(name) ?? "") : "";
}
