import { resolve } from "node:path";
import { expandHome, isInside } from "@deputize/ground";
import type { JournalRecord } from "../journal/journal-record.ts";
import type { CommandContext } from "./command-context.ts";

/** What a report about the journal is narrowed to. */
export interface JournalFilter {
	/** A directory: what ran in it or below it. */
	readonly project?: string | undefined;
	/** A part of the name of a model. */
	readonly model?: string | undefined;
}

/** Tool calls carry no project and no model of their own: they belong to the run that made them, if it is there. */
export function filterJournal(
	records: readonly JournalRecord[],
	filter: JournalFilter,
	{ cwd, surroundings }: Pick<CommandContext, "cwd" | "surroundings">,
): readonly JournalRecord[] {
	const { project, model } = filter;
	if (project === undefined && model === undefined) return records;
	const directory = project === undefined ? undefined : resolve(cwd, project);
	const matches = (record: JournalRecord): boolean =>
		(directory === undefined ||
			(record.cwd !== undefined && isInside(directory, expandHome(record.cwd, surroundings.home)))) &&
		(model === undefined || (record.model ?? "").toLowerCase().includes(model.toLowerCase()));
	const runs = new Set(
		records.filter((record) => record.kind === "subagent" && matches(record)).map(({ runId }) => runId),
	);
	return records.filter((record) =>
		record.kind === "subagent" || record.runId === undefined ? matches(record) : runs.has(record.runId),
	);
}

/** Why a report has no line. */
export function explainNothing(records: readonly JournalRecord[], filter: string): string {
	return records.length === 0 || filter === ""
		? "Nothing has been recorded yet."
		: `Nothing was recorded ${filter}. Without that there ${records.length === 1 ? "is 1 record" : `are ${records.length} records`}.`;
}

/** For the title of a report; empty when it is about everything. */
export function describeFilter({ project, model }: JournalFilter): string {
	return [
		...(project === undefined ? [] : [`in ${project}`]),
		...(model === undefined ? [] : [`with model ${model}`]),
	].join(" ");
}
