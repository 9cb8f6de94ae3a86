import { unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;

/**
 * For parts that go to a library with its own XML parser: no entity declarations, and no more depth or elements
 * than our own parser would take. A scan over bytes, because the trees those parsers build are the danger.
 */
export function checkXmlBytes(name: string, xml: Buffer, maxElements: number): void {
	if (xml.includes("<!ENTITY"))
		throw unsafe(`"${name}" declares XML entities of its own, as entity bombs do; the file is not read.`);
	let depth = 0;
	let elements = 0;
	for (let at = xml.indexOf(LESS_THAN); at !== -1; at = xml.indexOf(LESS_THAN, at + 1)) {
		const next = xml[at + 1];
		if (next === QUESTION || next === EXCLAMATION) continue;
		if (next === SLASH) {
			depth -= 1;
			continue;
		}
		elements += 1;
		const end = xml.indexOf(GREATER_THAN, at);
		if (xml[end - 1] !== SLASH) depth += 1;
		if (depth > CONVERSION_LIMITS.maxXmlDepth)
			throw unsafe(`"${name}" nests XML deeper than ${CONVERSION_LIMITS.maxXmlDepth}; the file is not read.`);
	}
	if (elements > maxElements)
		throw unsafe(`"${name}" has ${elements} XML elements, more than ${maxElements}; the file is not read.`);
}
