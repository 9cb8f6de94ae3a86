import { toOneLine } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { applyChanges } from "../changes/apply-changes.ts";
import { ChangesError } from "../changes/changes-error.ts";
import { dropChanges } from "../changes/drop-changes.ts";
import type { ResultChanges } from "../contract/result.ts";
import { GitError } from "../git/git-error.ts";
import type { ChangesDecision } from "./delegate-options.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Applies, drops or keeps the changes of a run that succeeded, as the caller, the configuration or a person says. What
 * cannot be done leaves them as they are, with the reason.
 */
export async function settleChanges(
	changes: ResultChanges,
	answer: RedactedText,
	context: RunContext,
): Promise<ResultChanges> {
	const { id } = changes;
	if (id === undefined || changes.files.length === 0) return changes;
	const { surroundings: place, redact } = context;
	const fail = (problem: string): ResultChanges => ({
		...changes,
		problem: redact.text(`They were not applied: ${problem}`),
	});
	try {
		const decision = await decide(changes, answer, context);
		if (decision === "keep") return changes;
		if (decision === "drop") {
			await dropChanges(place, id);
			return { ...changes, state: "dropped" };
		}
		const applied = await applyChanges(place, id);
		if (!applied.isApplied)
			return fail(
				`they do not merge with the project as it is now, in ${applied.conflicts.map(({ path }) => toOneLine(path)).join(", ")}.`,
			);
		const files = changes.files.map((file) => ({ ...file, isApplied: true }));
		return { ...changes, files, state: "applied" };
	} catch (error) {
		if (error instanceof ChangesError || error instanceof GitError) return fail(error.message);
		throw error;
	}
}

async function decide(
	changes: ResultChanges,
	answer: RedactedText,
	{ options, host, config: { subagents } }: RunContext,
): Promise<ChangesDecision> {
	if (options.applyChanges === true || subagents.applyChanges === "auto") return "apply";
	if (options.applyChanges === false || subagents.applyChanges === "keep" || !host.decideChanges)
		return "keep";
	return host.decideChanges(changes, answer);
}
