import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import {
	asObject,
	asText,
	canonicalPath,
	isInside,
	parseJsonObject,
	readIfThere,
	writeAtomically,
} from "@deputize/ground";
import type { RuntimeName } from "../../contract/agent.ts";
import { LIMITS } from "../../contract/limits.ts";
import { NO_USAGE, type Usage } from "../../contract/usage.ts";

interface RestoredSession {
	/** The program's own name for the session. */
	readonly name: string;
	/** What it has cost. */
	readonly spent: Usage;
}

/**
 * A program keeps its transcripts in its own directory, which is empty at the start of a run and removed with it. Between
 * runs a transcript is in the session file, behind a header of ours, so that sessions of all runtimes are kept, checked and
 * swept in one place.
 */
export function keepTranscript(
	home: string,
	session: { readonly file: string; readonly id: string },
	owner: { readonly runtime: RuntimeName; readonly cwd: string } & RestoredSession,
): void {
	const path = findTranscript(home, owner.name);
	if (path === undefined) return;
	const file = canonicalPath(join(home, path));
	// The program could write there: a link must not make us read a file that it may not.
	const text = isInside(canonicalPath(home), file)
		? readIfThere(file, LIMITS.maxSessionFileBytes)
		: undefined;
	if (text === undefined) return;
	const header = JSON.stringify({ type: "session", version: 1, id: session.id, ...owner, path });
	writeAtomically(session.file, `${header}\n${text}`);
}

/** Places the transcript where the program looks for it; undefined when there is none to continue. */
export function restoreTranscript(home: string, sessionFile: string): RestoredSession | undefined {
	const text = readIfThere(sessionFile) ?? "";
	const end = text.indexOf("\n");
	const header = parseJsonObject(text.slice(0, Math.max(end, 0)));
	const [name, path] = [asText(header?.["name"]), normalize(asText(header?.["path"]))];
	if (name === "" || isAbsolute(path) || path.startsWith("..")) return undefined;
	const file = join(home, path);
	writeAtomically(file, text.slice(end + 1));
	return { name, spent: { ...NO_USAGE, ...(asObject(header?.["spent"]) as Partial<Usage>) } };
}

function findTranscript(home: string, name: string): string | undefined {
	if (!existsSync(home)) return undefined;
	const files = readdirSync(home, { recursive: true, encoding: "utf8" });
	return files.find((file) => file.endsWith(`${name}.jsonl`));
}
