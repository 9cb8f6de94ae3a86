import { formatCount } from "@deputize/ground";
import { renderPatch } from "../../../commands/describe-changes.ts";
import type { ResultChanges } from "../../../contract/result.ts";
import type { ChangesDecision } from "../../../delegation/delegate-options.ts";
import { noteChanges } from "../../../delegation/to-result-changes.ts";
import type { QuestionContext } from "./toolkit/show-agent-question.ts";

const TITLE = "Apply what the agent changed?";

/**
 * As with other questions, what somebody types next must not change anything: to keep comes first, Esc means it, and in a
 * terminal no letter moves the choice. The diff opens in pi's editor, where it can be scrolled; what is typed there goes nowhere.
 */
export async function askAboutChanges(
	changes: ResultChanges,
	context: Omit<QuestionContext, "cwd">,
	signal?: AbortSignal,
): Promise<ChangesDecision> {
	const answers = [
		{ label: "Keep them for later", value: "keep" },
		{ label: "Look at the diff", value: "look" },
		{ label: `Apply ${formatCount(changes.files.length, "file")}`, value: "apply" },
		{ label: "Drop them", value: "drop" },
	] as const;
	const lines = noteChanges(changes).join("\n").split("\n");
	const ask = async (): Promise<(typeof answers)[number]["value"] | undefined> => {
		if (context.mode === "tui") {
			const { showQuestion } = await import("./toolkit/show-question.ts");
			return showQuestion({ title: TITLE, lines, answers }, { context, library: context.library, signal });
		}
		const labels = answers.map(({ label }) => label);
		const chosen = await context.ui.select(
			[TITLE, "", ...lines].join("\n"),
			labels,
			signal ? { signal } : {},
		);
		return answers.find(({ label }) => label === chosen)?.value;
	};
	for (;;) {
		const said = await ask();
		if (said !== "look" || signal?.aborted) return said === undefined || said === "look" ? "keep" : said;
		const rest = changes.isPatchCut ? `\n… the rest: deputize changes show ${changes.id}` : "";
		const patch = renderPatch(changes.patch ?? "");
		await context.ui.editor(`The diff of ${changes.id}, to read only`, `${patch}${rest}`);
	}
}
