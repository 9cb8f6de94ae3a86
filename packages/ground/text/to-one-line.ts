import { collapseSpace } from "../markup/collapse-space.ts";
import { stripControlSequences } from "./strip-control-sequences.ts";

/** Text of a model on one line: no line breaks, tabs or sequences that would move the cursor. */
export function toOneLine(text: string): string {
	return collapseSpace(stripControlSequences(text));
}
