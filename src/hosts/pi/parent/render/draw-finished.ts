import type { Markdown } from "@earendil-works/pi-tui";
import type { DelegationDetails } from "../../../../contract/result.ts";
import { drawAround } from "./draw-result.ts";
import type { Pen } from "./pen.ts";

const INDENT = 3;

/** Everything of a run that ended: its calls, the whole answer, the error and where things are. */
export function drawFinished(
	details: DelegationDetails,
	isError: boolean,
	answer: Markdown,
	pen: Pen,
): readonly string[] {
	const { above, below } = drawAround(details, isError, pen);
	const lines = answer.render(Math.max(1, pen.width - INDENT));
	return [...above, ...lines.map((line) => pen.fit(" ".repeat(INDENT) + line)), ...below];
}
