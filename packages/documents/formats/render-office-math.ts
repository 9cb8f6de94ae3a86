import { collapseSpace } from "@deputize/ground";
import { parseXml, type XmlElement } from "../xml/parse-xml.ts";
import { child, childElements, textOf } from "../xml/xml-element.ts";

const group = (tex: string): string => (tex.length === 1 ? tex : `{${tex}}`);

/** TeX for the structures that change the meaning of a formula; everything else is its text. */
export function renderOfficeMath(formula: string): string {
	return collapseSpace(renderChildren(parseXml(formula)));
}

function renderChildren(element: XmlElement | undefined): string {
	return childElements(element).map(renderMathElement).join("");
}

const part = (element: XmlElement, name: string): string => renderChildren(child(element, name));

const RENDERERS: Readonly<Record<string, (element: XmlElement) => string>> = {
	"m:r": (element) => textOf(child(element, "m:t")),
	"m:f": (element) => `\\frac{${part(element, "m:num")}}{${part(element, "m:den")}}`,
	"m:sSup": (element) => `${group(part(element, "m:e"))}^${group(part(element, "m:sup"))}`,
	"m:sSub": (element) => `${group(part(element, "m:e"))}_${group(part(element, "m:sub"))}`,
	"m:sSubSup": (element) =>
		`${group(part(element, "m:e"))}_${group(part(element, "m:sub"))}^${group(part(element, "m:sup"))}`,
	"m:rad": (element) => {
		const degree = part(element, "m:deg");
		return `\\sqrt${degree ? `[${degree}]` : ""}{${part(element, "m:e")}}`;
	},
	"m:nary": renderOperator,
	"m:d": renderDelimiters,
	"m:m": (element) =>
		`\\begin{matrix}${childElements(element, "m:mr")
			.map((row) => childElements(row, "m:e").map(renderChildren).join(" & "))
			.join(" \\\\ ")}\\end{matrix}`,
};

function renderMathElement(element: XmlElement): string {
	if (element.name.endsWith("Pr")) return "";
	return RENDERERS[element.name]?.(element) ?? renderChildren(element);
}

function propertyOf(element: XmlElement, properties: string, name: string): string | undefined {
	return child(child(element, properties), name)?.attributes["m:val"];
}

const OPERATORS: Readonly<Record<string, string>> = {
	"∑": "\\sum",
	"∏": "\\prod",
	"∫": "\\int",
	"⋃": "\\bigcup",
};

function renderOperator(element: XmlElement): string {
	const sign = propertyOf(element, "m:naryPr", "m:chr") ?? "∫";
	const from = part(element, "m:sub");
	const to = part(element, "m:sup");
	const limits = `${from ? `_${group(from)}` : ""}${to ? `^${group(to)}` : ""}`;
	return `${OPERATORS[sign] ?? sign}${limits} ${part(element, "m:e")}`;
}

function renderDelimiters(element: XmlElement): string {
	const open = propertyOf(element, "m:dPr", "m:begChr") ?? "(";
	const close = propertyOf(element, "m:dPr", "m:endChr") ?? ")";
	return `${open}${childElements(element, "m:e").map(renderChildren).join(", ")}${close}`;
}
