import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { findTagEnd } from "./find-tag-end.ts";

const LESS_THAN = 0x3c;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;

/**
 * For parts that go to a library with its own XML parser: no entity declarations, no more depth or elements than
 * our own parser accepts, and a proper end. A scan over bytes, because the trees those parsers build are the danger,
 * and because some of them read a part that is cut off as if it were whole.
 */
export function checkXmlBytes(name: string, xml: Buffer, maxElements: number): void {
	if (xml.includes("<!ENTITY"))
		throw unsafe(`"${name}" declares XML entities of its own, as entity bombs do; the file is not read.`);
	let depth = 0;
	let elements = 0;
	for (let at = xml.indexOf(LESS_THAN); at !== -1; ) {
		const end = findMarkEnd(xml, at);
		if (end === -1) throw damaged(`"${name}" is cut off.`);
		const next = xml[at + 1];
		if (next === SLASH) depth -= 1;
		else if (next !== QUESTION && next !== EXCLAMATION) {
			elements += 1;
			if (xml[end - 1] !== SLASH) depth += 1;
		}
		if (depth > CONVERSION_LIMITS.maxXmlDepth)
			throw unsafe(`"${name}" nests XML deeper than ${CONVERSION_LIMITS.maxXmlDepth}; the file is not read.`);
		at = xml.indexOf(LESS_THAN, end);
	}
	if (elements > maxElements)
		throw unsafe(`"${name}" has ${elements} XML elements, more than ${maxElements}; the file is not read.`);
	if (depth > 0) throw damaged(`"${name}" is cut off: ${depth} of its elements never end.`);
}

/** Where the tag, comment or CDATA section at `at` ends; -1 when it does not. */
function findMarkEnd(xml: Buffer, at: number): number {
	if (xml[at + 1] === EXCLAMATION) {
		const start = xml.toString("latin1", at, at + 9);
		if (start.startsWith("<!--")) return xml.indexOf("-->", at + 4);
		if (start === "<![CDATA[") return xml.indexOf("]]>", at + 9);
	}
	return findTagEnd(xml, at);
}
