import { formatCount, toOneLine } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { renderPatch } from "../../../commands/describe-changes.ts";
import type { ResultChanges } from "../../../contract/result.ts";
import type { ChangesDecision } from "../../../delegation/delegate-options.ts";
import { listNotes, noteChanges } from "../../../delegation/to-result-changes.ts";
import type { PiLibrary } from "./pi-library.ts";

const KEEP = "Keep them for later";
const LOOK = "Look at the diff";
const DROP = "Drop them";

interface ChangesQuestion {
	/** Whose changes they are: several may have been asked at once. */
	readonly agent: string;
	readonly context: Pick<ExtensionContext, "mode" | "ui">;
	readonly library: PiLibrary;
	readonly signal?: AbortSignal | undefined;
}

/**
 * As with other questions, the key somebody presses next must not change anything: to keep comes first, and Esc means it. In a
 * terminal the diff is in color; programs that talk to pi over RPC get it in an editor, where what is typed goes nowhere.
 */
export async function askAboutChanges(
	changes: ResultChanges,
	question: ChangesQuestion,
): Promise<ChangesDecision> {
	const apply = `Apply ${formatCount(changes.files.length, "file")}`;
	const choose =
		question.context.mode === "tui" ? await openTerminal(changes, question) : openDialogs(changes, question);
	for (;;) {
		const chosen = await choose.select([KEEP, LOOK, apply, DROP]);
		if (chosen === apply) return "apply";
		if (chosen === DROP) return "drop";
		if (chosen !== LOOK || question.signal?.aborted) return "keep";
		await choose.look();
	}
}

interface Chooser {
	select(options: readonly string[]): Promise<string | undefined>;
	look(): Promise<unknown>;
}

async function openTerminal(changes: ResultChanges, place: ChangesQuestion): Promise<Chooser> {
	const [{ showQuestion }, { showDiff }] = await Promise.all([
		import("./toolkit/show-question.ts"),
		import("./toolkit/show-diff.ts"),
	]);
	const lines = listNotes(changes);
	return {
		select: (options) =>
			showQuestion<string>(
				{ title: toTitle(place), lines, answers: options.map((label) => ({ label, value: label })) },
				place,
			),
		look: () => showDiff({ title: `The diff of ${changes.id}`, patch: readShownPatch(changes) }, place),
	};
}

function toTitle({ agent }: ChangesQuestion): string {
	return `Apply what ${toOneLine(agent)} changed?`;
}

function openDialogs(changes: ResultChanges, question: ChangesQuestion): Chooser {
	const { signal } = question;
	const { ui } = question.context;
	const title = [toTitle(question), "", ...noteChanges(changes)].join("\n");
	return {
		select: (options) => ui.select(title, [...options], signal ? { signal } : {}),
		look: () => ui.editor(`The diff of ${changes.id}, to read only`, renderPatch(readShownPatch(changes))),
	};
}

function readShownPatch({ id, patch, isPatchCut }: ResultChanges): string {
	return `${patch ?? ""}${isPatchCut ? `\n… the rest: deputize changes show ${id}` : ""}`;
}
