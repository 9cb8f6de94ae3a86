import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { measureHtmlDepth } from "./measure-html-depth.ts";

const START_TAG = /<[a-zA-Z]/g;

/** Why no tree is made of a page, as the end of a sentence about it: parsers would take minutes, then overflow. */
export function findTreeObjection(html: string): string | undefined {
	const { maxHtmlDepth, maxHtmlElements } = CONVERSION_LIMITS;
	let elements = 0;
	START_TAG.lastIndex = 0;
	while (START_TAG.test(html)) {
		elements += 1;
		if (elements > maxHtmlElements) return `has more than ${maxHtmlElements} elements`;
	}
	return measureHtmlDepth(html, maxHtmlDepth) > maxHtmlDepth ? "is nested too deeply" : undefined;
}
