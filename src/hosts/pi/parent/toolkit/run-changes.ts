import { formatCount, toOneLine } from "@deputize/ground";
import { applyChanges } from "../../../../changes/apply-changes.ts";
import { ChangesError } from "../../../../changes/changes-error.ts";
import { dropChanges } from "../../../../changes/drop-changes.ts";
import { findOverlaps } from "../../../../changes/find-overlaps.ts";
import { readPatch } from "../../../../changes/read-patch.ts";
import { undoChanges } from "../../../../changes/undo-changes.ts";
import type { CommandContext } from "../../../../commands/command-context.ts";
import {
	describeChanges,
	describeConflict,
	describeDropped,
	renderPatch,
} from "../../../../commands/describe-changes.ts";
import { listChangesHere } from "../../../../commands/list-changes-here.ts";
import type { Report } from "../../../../commands/report.ts";
import { createRedact } from "../../../../delegation/redact.ts";
import { describeOverlap } from "../../../../delegation/to-result-changes.ts";
import { GitError } from "../../../../git/git-error.ts";
import type { ChangesRequest } from "./changes-request.ts";

/** What agents changed in their layers, as a report; or what came of one of them, in words. */
export async function runChanges(
	{ verb, id = "", files = [] }: ChangesRequest,
	commands: CommandContext,
): Promise<Report | { readonly text: string; readonly isError: boolean }> {
	const { surroundings, cwd } = commands;
	if (verb === undefined) {
		const { changes, notices } = await listChangesHere(commands);
		return describeChanges(
			changes.filter((change) => change.id.startsWith(id)),
			notices,
			"here",
		);
	}
	if (verb !== "show") return changeOne(verb, { id, ...(files.length > 0 ? { files } : {}) }, surroundings);
	try {
		const patch = (await readPatch(surroundings, id)).toString("utf8");
		const lines = renderPatch(createRedact(surroundings, cwd).text(patch)).split("\n");
		return {
			title: `The diff of ${id}`,
			sections: [{ heading: "git apply takes it", lines: lines.map((text) => ({ text })) }],
			data: { id },
		};
	} catch (error) {
		return toSaid(error);
	}
}

/** Applies, takes back or removes one; what came of it, in words. */
export async function changeOne(
	verb: "apply" | "undo" | "drop",
	{ id, files }: { readonly id: string; readonly files?: readonly string[] },
	place: CommandContext["surroundings"],
): Promise<{ readonly text: string; readonly isError: boolean }> {
	const done = (text: string) => ({ text, isError: false });
	try {
		if (verb === "drop") return done(describeDropped(await dropChanges(place, id)));
		if (verb === "undo") {
			const undone = await undoChanges(place, id);
			if (undone.isUndone) return done(`Took back ${id}: ${formatCount(undone.files.length, "path")}.`);
			return toSaid(
				new ChangesError(
					`Nothing was changed. These were changed since ${id} was applied: ${undone.changed.map(toOneLine).join(", ")}`,
				),
			);
		}
		const overlaps = (await findOverlaps(place, id)).map(describeOverlap);
		const applied = await applyChanges(place, id, files === undefined ? {} : { files });
		if (applied.isApplied)
			return done([`Applied ${id}: ${formatCount(applied.files.length, "path")}.`, ...overlaps].join("\n"));
		const reasons = applied.conflicts.map(describeConflict);
		return toSaid(
			new ChangesError(
				[`Nothing was changed: ${id} conflicts with the project as it is now.`, ...reasons, ...overlaps].join(
					"\n",
				),
			),
		);
	} catch (error) {
		return toSaid(error);
	}
}

/** What was refused, in words. */
export function toSaid(error: unknown): { readonly text: string; readonly isError: true } {
	if (error instanceof ChangesError || error instanceof GitError)
		return { text: error.message, isError: true };
	throw error;
}
