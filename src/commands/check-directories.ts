import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { isWritable } from "@deputize/ground";
import { journalFile } from "../journal/journal-file.ts";
import { listLeftRunDirectories } from "../runtimes/run-directory.ts";
import { sessionsRoot } from "../sessions/session-path.ts";
import type { CommandContext } from "./command-context.ts";
import { fail, info, ok, type ReportLine, warn } from "./report.ts";

/** Where sessions and the journal are kept: there or makeable, ours to write, closed to others. */
export function checkDirectories(context: CommandContext): readonly ReportLine[] {
	const { home, agentDirectory } = context.surroundings;
	return [
		checkPlace("sessions", sessionsRoot(home)),
		checkPlace("journal", journalFile(agentDirectory)),
		checkLeftOvers(agentDirectory),
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
	if (nearest.path !== path) return info(`${name}: ${path} (made when first needed)`);
	const isOpen = process.platform !== "win32" && ((nearest.entry?.mode ?? 0) & 0o077) !== 0;
	return isOpen
		? warn(`${name}: ${path} can be read by others`, `chmod go= ${path}`)
		: ok(`${name}: ${path}`);
}

/** The place itself, or what is there of the way to it. */
function findNearest(path: string): { readonly path: string; readonly entry: Stats | undefined } {
	const entry = statSync(path, { throwIfNoEntry: false });
	return entry || dirname(path) === path ? { path, entry } : findNearest(dirname(path));
}
