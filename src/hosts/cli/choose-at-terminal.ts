import { cleanOutsideText } from "@deputize/ground";
import { renderPatch } from "../../commands/describe-changes.ts";
import type { ResultChanges } from "../../contract/result.ts";
import type { ChangesDecision } from "../../delegation/delegate-options.ts";
import { noteChanges } from "../../delegation/to-result-changes.ts";
import { askLine, type Terminal } from "./ask-line.ts";

/** Whole words: "and now?" is no yes, and "don't" drops nothing. */
const ANSWERS: ReadonlyMap<string, ChangesDecision | "look"> = new Map([
	...(["apply", "drop", "keep", "look"] as const).flatMap(
		(word) =>
			[
				[word.slice(0, 1), word],
				[word, word],
			] as const,
	),
	["", "keep"],
]);

/** Asks at the terminal what becomes of changes. Nothing but a clear answer changes anything. */
export async function chooseAtTerminal(changes: ResultChanges, terminal: Terminal): Promise<ChangesDecision> {
	const say = (text: string): boolean => terminal.output.write(`${cleanOutsideText(text)}\n`);
	say(noteChanges(changes).join("\n"));
	for (;;) {
		const line = await askLine("[l]ook, [a]pply, [d]rop, [K]eep? ", terminal);
		const decision = ANSWERS.get(line?.trim().toLowerCase() ?? "");
		if (decision !== undefined && decision !== "look") return decision;
		if (decision === undefined) continue;
		say(renderPatch(changes.patch ?? ""));
		if (changes.isPatchCut) say(`… the rest: deputize changes show ${changes.id}`);
	}
}
