import type { Emphasis } from "../html/emphasize.ts";
import type { XmlElement } from "../xml/parse-xml.ts";
import { child, childElements, descendants } from "../xml/xml-element.ts";

export interface DocumentStyles {
	/** The name and the names of its parents, nearest first, with `_20_` for a blank as in the file. */
	paragraphNames(name: string): readonly string[];
	/** What a style says about the meaning of text, after its parents were asked. */
	textStyle(name: string): Emphasis;
	isOrdered(listStyle: string, level: number): boolean;
}

const MAX_PARENTS = 20;
const CODE_STYLES = new Set(["Source_20_Text", "Source_Text", "Teletype", "User_20_Entry"]);
const BOLD_WEIGHT = /^(bold|[6-9]00)$/;

export function readStyles(...parts: readonly (XmlElement | undefined)[]): DocumentStyles {
	const collect = (name: string): XmlElement[] => parts.flatMap((part) => descendants(part, name));
	const styles = new Map(
		collect("style:style").map((style) => [
			`${style.attributes["style:family"]} ${style.attributes["style:name"]}`,
			style,
		]),
	);
	const lists = new Map(
		collect("text:list-style").map((style) => [style.attributes["style:name"] ?? "", style]),
	);
	const chain = (family: string, name: string): XmlElement[] => {
		const found: XmlElement[] = [];
		let style = styles.get(`${family} ${name}`);
		while (style && found.length < MAX_PARENTS) {
			found.push(style);
			style = styles.get(`${family} ${parentOf(style)}`);
		}
		return found;
	};
	return {
		paragraphNames: (name) => [name, ...chain("paragraph", name).map(parentOf)],
		textStyle: (name) => readTextStyle(name, chain("text", name)),
		isOrdered: (listStyle, level) => isOrderedLevel(lists.get(listStyle), level),
	};
}

function parentOf(style: XmlElement): string {
	return style.attributes["style:parent-style-name"] ?? "";
}

function readTextStyle(name: string, chain: readonly XmlElement[]): Emphasis {
	const first = (attribute: string): string =>
		chain.map((style) => child(style, "style:text-properties")?.attributes[attribute]).find(Boolean) ?? "";
	const names = [name, ...chain.map(parentOf)];
	const strike = first("style:text-line-through-style");
	return {
		bold: BOLD_WEIGHT.test(first("fo:font-weight")) || name === "Strong_20_Emphasis",
		italic: first("fo:font-style") === "italic" || name === "Emphasis",
		strike: strike !== "" && strike !== "none",
		code: names.some((known) => CODE_STYLES.has(known)),
	};
}

function isOrderedLevel(style: XmlElement | undefined, level: number): boolean {
	const wanted = String(level);
	const definition = style && childElements(style).find((entry) => entry.attributes["text:level"] === wanted);
	return (
		definition?.name === "text:list-level-style-number" &&
		(definition.attributes["style:num-format"] ?? "") !== ""
	);
}
