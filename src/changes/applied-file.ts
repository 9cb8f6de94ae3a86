import { rmSync } from "node:fs";
import { join } from "node:path";
import { asList, asObject, readJsonFile, writeAtomically } from "@deputize/ground";
import type { Writing } from "./write-steps.ts";

/** What each apply of a change did, the last one last: what undo takes back. */
export type Applied = Pick<Writing, "steps" | "paths" | "directories" | "startedAt">;

export function readApplied(state: string): readonly Applied[] {
	return asList(asObject(readJsonFile(appliedFile(state)))["applies"]) as readonly Applied[];
}

export function writeApplied(state: string, applies: readonly Applied[]): void {
	if (applies.length === 0) rmSync(appliedFile(state), { force: true });
	else writeAtomically(appliedFile(state), JSON.stringify({ version: 1, applies }));
}

function appliedFile(state: string): string {
	return join(state, "applied.json");
}
