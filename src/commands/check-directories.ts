import { type Stats, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Environment, findForeignDirectory, isWritable, statIfThere } from "@deputize/ground";
import { journalFile } from "../journal/journal-file.ts";
import { listLeftRunDirectories } from "../runtimes/run-directory.ts";
import { sessionsRoot } from "../sessions/session-path.ts";
import type { CommandContext } from "./command-context.ts";
import { fail, info, ok, type ReportLine, warn } from "./report.ts";

/** Where sessions and the journal are kept: there or makeable, ours to write, closed to others. */
export function checkDirectories(context: CommandContext): readonly ReportLine[] {
	const { home, agentDirectory, env } = context.surroundings;
	return [
		checkPlace("sessions", sessionsRoot(home)),
		checkPlace("journal", journalFile(agentDirectory)),
		checkLeftOvers(agentDirectory),
		...checkCompileCache(env),
	];
}

/**
 * Every pi that we start has a cache of its own, unless the user named one. The pi that the user starts has Node's: in the
 * shared temporary directory, where another user can be first, and what is compiled there runs without a question.
 */
function checkCompileCache(env: Environment): readonly ReportLine[] {
	const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: isOff } = env;
	if (isOff) return [];
	const cache = named || join(tmpdir(), "node-compile-cache");
	if (findForeignDirectory(cache, cache) === undefined) return [];
	return [
		fail(
			`compiled code: ${cache} belongs to somebody else, or others may write to it, and a Node that you start runs what is in it`,
			"Set NODE_COMPILE_CACHE to a directory of your own, or NODE_DISABLE_COMPILE_CACHE=1, and remove that one if it is yours.",
		),
	];
}

function checkLeftOvers(agentDirectory: string): ReportLine {
	const left = listLeftRunDirectories(agentDirectory);
	if (left.length === 0) return ok("No leftovers of killed runs");
	return warn(
		`${left.length} leftover directories of killed runs: ${left.join(", ")}`,
		"The next delegation removes them.",
	);
}

function checkPlace(name: string, path: string): ReportLine {
	const nearest = findNearest(path);
	if (!isWritable(nearest.path) || (nearest.path !== path && !nearest.entry?.isDirectory()))
		return fail(`${name}: ${path} cannot be written`, `Make ${nearest.path} a directory you may write to.`);
	const free = measureFree(nearest.path);
	if (free < ENOUGH_BYTES)
		return fail(
			`${name}: the disk of ${path} is full (${Math.floor(free / 1024)} KiB free)`,
			"Make room there: every run writes a session and a lock.",
		);
	if (nearest.path !== path) return info(`${name}: ${path} (made when first needed)`);
	const isOpen = process.platform !== "win32" && ((nearest.entry?.mode ?? 0) & 0o077) !== 0;
	return isOpen
		? warn(`${name}: ${path} can be read by others`, `chmod go= ${path}`)
		: ok(`${name}: ${path}`);
}

/** For a session, its lock and the line in the journal. */
const ENOUGH_BYTES = 1024 * 1024;

/** Bytes that this user may still write; as many as anybody wants where that is not known. */
function measureFree(path: string): number {
	try {
		const { bavail, bsize } = statfsSync(path);
		return bavail * bsize;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}

/** The place itself, or what is there of the way to it. */
function findNearest(path: string): { readonly path: string; readonly entry: Stats | undefined } {
	const entry = statIfThere(path);
	return entry || dirname(path) === path ? { path, entry } : findNearest(dirname(path));
}
