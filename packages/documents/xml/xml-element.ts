import type { XmlElement, XmlNode } from "./parse-xml.ts";

export function isElement(node: XmlNode): node is XmlElement {
	return typeof node !== "string";
}

/** Those of that name, or all. What is missing has none, also below. */
export function childElements(element: XmlElement | undefined, name?: string): XmlElement[] {
	const elements = element?.children.filter(isElement) ?? [];
	return name === undefined ? elements : elements.filter((child) => child.name === name);
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
	return element?.children.find((node): node is XmlElement => isElement(node) && node.name === name);
}

/** Follows a path of child names. */
export function descend(
	element: XmlElement | undefined,
	...names: readonly string[]
): XmlElement | undefined {
	return names.reduce<XmlElement | undefined>((current, name) => child(current, name), element);
}

/** Every descendant of that name, in document order. Depth is bounded by the parser. */
export function descendants(element: XmlElement | undefined, name: string): XmlElement[] {
	const found: XmlElement[] = [];
	const visit = (current: XmlElement): void => {
		for (const node of current.children) {
			if (!isElement(node)) continue;
			if (node.name === name) found.push(node);
			visit(node);
		}
	};
	if (element) visit(element);
	return found;
}

/** Of the first descendant of that name; empty when there is none. */
export function firstText(element: XmlElement | undefined, name: string): string {
	return textOf(descendants(element, name)[0]).trim();
}

export function textOf(node: XmlNode | undefined): string {
	if (node === undefined) return "";
	return isElement(node) ? node.children.map(textOf).join("") : node;
}
