import { canonicalPath, formatCount, isInside, toOneLine } from "@deputize/ground";
import { applyChanges } from "../../../../changes/apply-changes.ts";
import { ChangesError } from "../../../../changes/changes-error.ts";
import { dropChanges } from "../../../../changes/drop-changes.ts";
import { listChanges } from "../../../../changes/list-changes.ts";
import { readPatch } from "../../../../changes/read-patch.ts";
import { undoChanges } from "../../../../changes/undo-changes.ts";
import type { CommandContext } from "../../../../commands/command-context.ts";
import { describeChanges, describeConflict, renderPatch } from "../../../../commands/describe-changes.ts";
import type { Report } from "../../../../commands/report.ts";
import { createRedact } from "../../../../delegation/redact.ts";
import { GitError } from "../../../../git/git-error.ts";
import type { ChangesRequest } from "./changes-request.ts";

/** What agents changed in their layers, as a report; or what came of one of them, in words. */
export async function runChanges(
	{ verb, id = "" }: ChangesRequest,
	{ surroundings, cwd }: CommandContext,
): Promise<Report | { readonly text: string; readonly isError: boolean }> {
	try {
		if (verb === undefined) {
			const { changes, notices } = await listChanges(surroundings);
			const here = canonicalPath(cwd);
			const shown = changes.filter(({ project }) => isInside(project, here));
			return describeChanges(shown, notices, "here");
		}
		if (verb === "show") {
			const patch = (await readPatch(surroundings, id)).toString("utf8");
			const lines = renderPatch(createRedact(surroundings, cwd).text(patch)).split("\n");
			return {
				title: `The diff of ${id}`,
				sections: [{ heading: "git apply takes it", lines: lines.map((text) => ({ text })) }],
				data: { id },
			};
		}
		return { text: await change(verb, id, surroundings), isError: false };
	} catch (error) {
		if (error instanceof ChangesError || error instanceof GitError)
			return { text: error.message, isError: true };
		throw error;
	}
}

async function change(
	verb: "apply" | "undo" | "drop",
	id: string,
	place: CommandContext["surroundings"],
): Promise<string> {
	if (verb === "drop") return `Dropped ${(await dropChanges(place, id)).id}.`;
	if (verb === "undo") {
		const undone = await undoChanges(place, id);
		if (undone.isUndone) return `Took back ${id}: ${formatCount(undone.files.length, "path")}.`;
		throw new ChangesError(
			`Nothing was changed. These were changed since ${id} was applied: ${undone.changed.map(toOneLine).join(", ")}`,
		);
	}
	const applied = await applyChanges(place, id);
	if (applied.isApplied) return `Applied ${id}: ${formatCount(applied.files.length, "path")}.`;
	throw new ChangesError(
		[
			`Nothing was changed: ${id} conflicts with the project as it is now.`,
			...applied.conflicts.map(describeConflict),
		].join("\n"),
	);
}
