import { cleanOutsideText, suggestWord, toOneLine } from "@deputize/ground";
import { BatchError } from "../../batch/batch-error.ts";
import { type ApplyResult, applyChanges } from "../../changes/apply-changes.ts";
import { ChangesError } from "../../changes/changes-error.ts";
import { dropChanges } from "../../changes/drop-changes.ts";
import { listChanges } from "../../changes/list-changes.ts";
import { readPatch } from "../../changes/read-patch.ts";
import { tidyChanges } from "../../changes/tidy-changes.ts";
import { undoChanges } from "../../changes/undo-changes.ts";
import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import {
	describeChanges,
	describeConflict,
	describeDropped,
	renderPatch,
} from "../../commands/describe-changes.ts";
import { listChangesHere } from "../../commands/list-changes-here.ts";
import type { ChangeSet } from "../../contract/changes.ts";
import { GitError } from "../../git/git-error.ts";
import { runBatchChanges } from "./batch-changes.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, option, parseCommandLine } from "./parse-command-line.ts";
import { showError } from "./show-error.ts";
import { showReport } from "./show-report.ts";
import { UsageError } from "./usage-error.ts";

const VERBS = ["list", "show", "apply", "undo", "drop"] as const;
type Verb = (typeof VERBS)[number];

const OPTIONS = {
	all: flag("list those of all projects, not only of the one around this directory"),
	batch: option("<output>", "with apply and undo: what the tasks of a batch changed, one after the other"),
	check: flag("with apply: say whether it would work, and change nothing"),
	json: flag("print what there is, or what was done, as JSON"),
};

export const CHANGES_HELP: CommandHelp = {
	usage: [
		"changes [list] [--all]",
		"changes show <id>",
		"changes apply <id> [<file…>] [--check]",
		"changes undo <id>",
		"changes apply|undo --batch <output> [--check]",
		"changes drop <id>",
	],
	examples: [
		["deputize changes", "what agents changed here, and what of it is applied"],
		["deputize changes show 3f2a91c0", "the patch, as git apply takes it; the beginning of an id is enough"],
		["deputize changes apply 3f2a91c0 src/http.ts", "only this file of it"],
		["deputize changes undo 3f2a91c0", "take back what the last apply wrote"],
		["deputize changes apply --batch out.jsonl", "what merges of a batch's patches; run again, what is left"],
	],
	options: OPTIONS,
	notes:
		"Where only one change is in question, its id can be left out, but for drop. A conflict changes nothing; it is named with its lines, and the exit code is 1.",
	words: VERBS,
};

/** `deputize changes`: what agents changed in their layers, and what becomes of it. Returns the exit code. */
export async function runChangesCommand(argv: readonly string[]): Promise<number> {
	try {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const [word = "list", id, ...files] = positionals;
		const verb = parseVerb(word);
		if (files.length > 0 && verb !== "apply")
			throw new UsageError(`${verb} takes one id. Leave out: ${files.join(" ")}`);
		if (values.check && verb !== "apply") throw new UsageError("--check is for apply.");
		const context = createCommandContext({ cwd: process.cwd() });
		const { batch, check = false, json = false } = values;
		if (batch !== undefined) {
			if (verb !== "apply" && verb !== "undo") throw new UsageError("--batch is for apply and undo.");
			if (id !== undefined) throw new UsageError(`--batch takes all of them. Leave out: ${id}`);
			return await runBatchChanges(context, { verb, output: batch, check, json });
		}
		return await RUN[verb](context, { id, files, ...values });
	} catch (error) {
		const isRefusal = [UsageError, ChangesError, GitError, BatchError].some((kind) => error instanceof kind);
		if (!isRefusal || !(error instanceof Error)) throw error;
		showError("deputize changes", error.message);
		return error instanceof UsageError ? 2 : 1;
	}
}

function parseVerb(word: string): Verb {
	const verb = VERBS.find((name) => name === word);
	if (verb !== undefined) return verb;
	throw new UsageError(
		`There is no command changes ${JSON.stringify(word)}. ${suggestWord(word, VERBS, "Commands")}`,
	);
}

interface ChangesInput {
	readonly id: string | undefined;
	readonly files: readonly string[];
	readonly all?: boolean | undefined;
	readonly check?: boolean | undefined;
	readonly json?: boolean | undefined;
}

const RUN: Readonly<Record<Verb, (context: CommandContext, input: ChangesInput) => Promise<number>>> = {
	async list(context, { id, all = false, json = false }) {
		if (id !== undefined) throw new UsageError(`list takes no id. Try: deputize changes show ${id}`);
		const { surroundings, config } = context;
		const notices = await tidyChanges(surroundings, config.subagents.keepChanges);
		const listed = await (all ? listChanges(surroundings) : listChangesHere(context));
		const where = all ? "of all projects" : "here";
		showReport(describeChanges(listed.changes, [...notices, ...listed.notices], where), json);
		return 0;
	},
	async show(context, { id, json = false }) {
		const change = await chooseChange(context, id, () => true);
		const patch = await readPatch(context.surroundings, change.id);
		if (json) writeJson({ ...change, patch: patch.toString("utf8") });
		// What is not shown to a person is exact.
		else process.stdout.write(process.stdout.isTTY ? renderPatch(patch.toString("utf8")) : patch);
		return 0;
	},
	async apply(context, { id, files, check = false, json = false }) {
		const change = await chooseChange(context, id, ({ state }) => state === "pending");
		const result = await applyChanges(context.surroundings, change.id, {
			isTrial: check,
			...(files.length === 0 ? {} : { files }),
		});
		if (json) writeJson(result);
		else showApplied(result, check);
		return result.isApplied ? 0 : 1;
	},
	async undo(context, { id, json = false }) {
		const isUndoable = ({ files }: ChangeSet): boolean => files.some(({ isApplied }) => isApplied);
		const change = await chooseChange(context, id, isUndoable);
		const result = await undoChanges(context.surroundings, change.id);
		if (json) writeJson(result);
		else if (result.isUndone)
			say(
				`Took back ${change.id}: ${result.files.length} paths are as they were. It is kept: deputize changes apply ${change.id}`,
			);
		else {
			say(`Nothing was changed. These were changed since ${change.id} was applied:`);
			for (const path of result.changed) say(`  ${toOneLine(path)}`);
		}
		return result.isUndone ? 0 : 1;
	},
	async drop(context, { id, json = false }) {
		if (id === undefined)
			throw new UsageError("drop removes a change for good. Name it: deputize changes drop <id>");
		const change = await dropChanges(context.surroundings, id);
		if (json) writeJson(change);
		else say(describeDropped(change));
		return 0;
	},
};

async function chooseChange(
	context: CommandContext,
	id: string | undefined,
	isWanted: (change: ChangeSet) => boolean,
): Promise<Pick<ChangeSet, "id">> {
	if (id !== undefined) return { id };
	const { changes } = await listChangesHere(context);
	const [only, ...more] = changes.filter(isWanted);
	if (only !== undefined && more.length === 0) return only;
	throw new UsageError(
		only === undefined
			? "There is none here that this could be for. deputize changes --all lists those of other projects."
			: `Name one: ${[only, ...more].map((change) => change.id).join(", ")}. deputize changes lists them.`,
	);
}

function showApplied(result: ApplyResult, isTrial: boolean): void {
	const { change } = result;
	if (!result.isApplied) {
		say(`Nothing was changed: ${change.id} conflicts with the project as it is now.`);
		for (const conflict of result.conflicts) say(`  ${describeConflict(conflict)}`);
		return;
	}
	const paths = `${result.files.length} ${result.files.length === 1 ? "path" : "paths"}`;
	if (isTrial) say(`${change.id} can be applied: ${paths}, no conflict. Nothing was changed.`);
	else say(`Applied ${change.id}: ${paths}. Take it back with: deputize changes undo ${change.id}`);
}

function say(line: string): void {
	process.stdout.write(`${cleanOutsideText(line)}\n`);
}

function writeJson(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
