import { join } from "node:path";
import { listIfThere, statIfThere } from "@deputize/ground";
import { parseSessionName, sessionDirectory, sessionsRoot } from "./session-path.ts";

/** A directory with more, as batches leave it, is not looked through while a person waits. */
const MAX_ENTRIES = 2000;

/** The agent that a task was last given to in this directory, if that was less than `maxAgeMs` ago. */
export function findRecentAgent(options: {
	readonly home: string;
	readonly cwd: string;
	readonly maxAgeMs: number;
	readonly now?: number;
}): string | undefined {
	const directory = sessionDirectory(sessionsRoot(options.home), options.cwd);
	const oldest = (options.now ?? Date.now()) - options.maxAgeMs;
	const names = readModified(directory) < oldest ? [] : listIfThere(directory);
	if (names.length > MAX_ENTRIES) return undefined;
	let newest = oldest;
	let recent: string | undefined;
	for (const name of names) {
		const agent = parseSessionName(name)?.agent;
		const modified = agent === undefined ? 0 : readModified(join(directory, name));
		if (modified <= newest) continue;
		newest = modified;
		recent = agent;
	}
	return recent;
}

function readModified(path: string): number {
	return statIfThere(path)?.mtimeMs ?? 0;
}
