import { canonicalPath, isInside, toOneLine } from "@deputize/ground";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { recoverChanges } from "../../../changes/recover-changes.ts";
import { countChangedFiles, describeChangedFile } from "../../../commands/describe-changes.ts";
import type { Surroundings } from "../../../config/read-surroundings.ts";
import type { ChangeSet } from "../../../contract/changes.ts";
import { createRedact } from "../../../delegation/redact.ts";
import { REPORT_MESSAGE } from "./custom-types.ts";

const MAX_NAMED = 8;

/**
 * Collects and tells of changes whose agent was at work in this project when its process was killed: the person now, the
 * model with the next message. Whoever looks first tells; a second pi, and the next start, find nothing left to tell. Those of
 * other projects are told there: their tasks are nothing for the model here.
 */
export async function reportLeftChanges(
	pi: Pick<ExtensionAPI, "sendMessage">,
	{ cwd }: Pick<ExtensionContext, "cwd">,
	surroundings: Surroundings,
): Promise<void> {
	const here = canonicalPath(cwd);
	const { found } = await recoverChanges(surroundings, (project) => isInside(project, here));
	const { text } = createRedact(surroundings, cwd);
	for (const change of found)
		pi.sendMessage(
			{ customType: REPORT_MESSAGE, content: text(describeLeft(change)), display: true },
			{ triggerTurn: false },
		);
}

function describeLeft(change: ChangeSet): string {
	const { id, origin, files } = change;
	const more = files.length > MAX_NAMED ? [`and ${files.length - MAX_NAMED} more`] : [];
	const named = [...files.slice(0, MAX_NAMED).map(describeChangedFile), ...more].join(", ");
	return [
		`The agent ${origin.agent} was at work when its process ended, on: ${toOneLine(origin.task)}`,
		`What it had changed is kept and not applied: ${countChangedFiles(change)}${named === "" ? "" : ` (${named})`}.`,
		`/toolkit changes ${id} shows it, applies it or drops it.`,
	].join("\n");
}
