import { formatCount } from "@deputize/ground";
import type { ResultChanges } from "../../../contract/result.ts";
import type { ChangesDecision } from "../../../delegation/delegate-options.ts";
import { noteChanges } from "../../../delegation/to-result-changes.ts";
import type { QuestionContext } from "./toolkit/show-agent-question.ts";

const KEEP = "Keep them for later";
const LOOK = "Look at the diff";
const DROP = "Drop them";

/**
 * As with other questions, the key somebody presses next must not change anything: to keep comes first, and Esc means it. The
 * diff opens in pi's editor, where it can be scrolled; what is typed there goes nowhere.
 */
export async function askAboutChanges(
	changes: ResultChanges,
	{ ui }: Pick<QuestionContext, "ui">,
	signal?: AbortSignal,
): Promise<ChangesDecision> {
	const apply = `Apply ${formatCount(changes.files.length, "file")}`;
	const title = ["Apply what the agent changed?", "", ...noteChanges(changes)].join("\n");
	for (;;) {
		const chosen = await ui.select(title, [KEEP, LOOK, apply, DROP], signal ? { signal } : {});
		if (chosen === apply) return "apply";
		if (chosen === DROP) return "drop";
		if (chosen !== LOOK || signal?.aborted) return "keep";
		const rest = changes.isPatchCut ? `\n… the rest: deputize changes show ${changes.id}` : "";
		await ui.editor(`The diff of ${changes.id}, to read only`, `${changes.patch ?? ""}${rest}`);
	}
}
