import { cleanOutsideText } from "@deputize/ground";
import type { ResultChanges } from "../../contract/result.ts";
import type { ChangesDecision } from "../../delegation/delegate-options.ts";
import { noteChanges } from "../../delegation/to-result-changes.ts";
import { askLine, type Terminal } from "./ask-line.ts";

const ANSWERS: Readonly<Record<string, ChangesDecision>> = { a: "apply", d: "drop", k: "keep", "": "keep" };

/** Asks at the terminal what becomes of changes. Nothing but a clear answer changes anything. */
export async function chooseAtTerminal(changes: ResultChanges, terminal: Terminal): Promise<ChangesDecision> {
	const say = (text: string): boolean => terminal.output.write(`${cleanOutsideText(text)}\n`);
	say(noteChanges(changes).join("\n"));
	for (;;) {
		const line = await askLine("[l]ook, [a]pply, [d]rop, [K]eep? ", terminal);
		const word = line?.trim().toLowerCase() ?? "";
		const decision = ANSWERS[word.slice(0, 1)];
		if (decision !== undefined) return decision;
		if (!word.startsWith("l")) continue;
		say(changes.patch ?? "");
		if (changes.isPatchCut) say(`… the rest: deputize changes show ${changes.id}`);
	}
}
