import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { openReplacement } from "@deputize/ground";
import { refuseAsBatch } from "../batch-error.ts";
import type { BatchFiles } from "../batch-files.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";
import type { BatchTask, TaskResult } from "../batch-record.ts";

const MAX_NAME_CHARS = 80;
const KEY_CHARS = 12;

/**
 * The result as its line says it, with the patch in a file of its own, on the disk before the line is written. What comes from
 * a queue can be anything: changes of an agent that does not write, or what is no patch, make it a failed one.
 */
export function keepPatch(
	task: BatchTask,
	result: TaskResult,
	files: BatchFiles | undefined,
	mayChange: boolean,
): TaskResult {
	if (result.changes === undefined) return result;
	const { packed, ...changes } = result.changes;
	if (!mayChange) return refuseChanges(result, "changes, and its agent may not change files here");
	if (files === undefined) return { ...result, changes };
	const patch = packed === undefined ? undefined : inflatePatch(packed);
	if (patch === undefined)
		return refuseChanges(result, "changes that are no patch, or more than one may have");
	const name = namePatch(task);
	const replacement = refuseAsBatch(() => openReplacement(join(files.changes, name), files));
	try {
		writeFileSync(replacement.descriptor, patch);
		refuseAsBatch(() => replacement.finish({ isOnDisk: true }));
	} finally {
		replacement.close();
	}
	return { ...result, changes: { ...changes, patch: join(basename(files.changes), name) } };
}

/** Said by a line of the output, which may be anyone's: undefined when it leads elsewhere than to a patch of this batch. */
export function locatePatch(
	files: BatchFiles,
	{ patch = "" }: { readonly patch?: string },
): string | undefined {
	const path = join(files.changes, basename(patch));
	const isOurs = patch.endsWith(".patch") && join(dirname(files.output), patch) === path;
	return isOurs ? path : undefined;
}

/** For people, who look for a task by its id; the key makes it one of its own. */
function namePatch({ id, key }: BatchTask): string {
	const slug = id
		.replaceAll(/[^A-Za-z0-9._-]+/g, "-")
		.slice(-MAX_NAME_CHARS)
		.replace(/^[.-]+/, "");
	return `${[...(slug === "" ? [] : [slug]), key.slice(0, KEY_CHARS)].join("-")}.patch`;
}

const BEGINNING = Buffer.from("diff --git ");

function inflatePatch(packed: string): Buffer | undefined {
	try {
		const patch = inflateRawSync(Buffer.from(packed, "base64"), {
			maxOutputLength: BATCH_LIMITS.maxPatchBytes,
		});
		return patch.subarray(0, BEGINNING.length).equals(BEGINNING) ? patch : undefined;
	} catch {
		return undefined;
	}
}

function refuseChanges({ changes: _, ...result }: TaskResult, what: string): TaskResult {
	return {
		...result,
		status: "failed",
		error: {
			code: "SUBAGENT_FAILED",
			message: `The worker handed back ${what}. Nothing of them was kept.`,
			cause: { kind: "worker_failed" },
		},
	};
}
