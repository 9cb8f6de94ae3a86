import { lstatSync } from "node:fs";
import { isSamePath, parseJsonObject, readPart } from "@deputize/ground";
import type { RuntimeName } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { LIMITS } from "../contract/limits.ts";

/**
 * Looks before a resume: pi would follow a link, run in whatever directory the header names, and append to
 * a file that is not a session. A mismatch is refused and never rewritten. A torn last line is fine: pi skips it.
 */
export function checkSessionFile(
	file: string,
	expected: { readonly cwd: string; readonly runtime: RuntimeName },
): void {
	const refuse = (reason: string): never => {
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`The session file ${file} was not resumed: ${reason}. Leave the session id out to start a new session.`,
		);
	};
	const entry = lstatSync(file);
	if (entry.isSymbolicLink()) refuse("it is a symbolic link");
	if (!entry.isFile()) refuse("it is not a regular file");
	if (process.getuid && entry.uid !== process.getuid()) refuse("it belongs to another user");
	if (entry.size > LIMITS.maxSessionFileBytes) {
		refuse(`its ${entry.size} bytes are more than the ${LIMITS.maxSessionFileBytes} a session may have`);
	}
	const header = readSessionHeader(file);
	if (!header) refuse("its first line cannot be read as a session header");
	else if (!isSamePath(header.cwd, expected.cwd))
		refuse(`it was made for ${JSON.stringify(header.cwd)}, not for this directory`);
	else if (header.runtime !== expected.runtime)
		refuse(
			`it was made by the runtime ${header.runtime}, not by ${expected.runtime}. Continue it with the runtime ${header.runtime} (on the command line --runtime ${header.runtime})`,
		);
}

/** Undefined when the file is not a session. */
export function readSessionHeader(
	file: string,
): { readonly cwd: string; readonly runtime: string } | undefined {
	const head = readPart(file, () => ({ offset: 0, maxBytes: LIMITS.maxSessionHeaderBytes }));
	const end = head?.bytes.indexOf("\n") ?? -1;
	const line = head?.bytes.toString("utf8", 0, end === -1 ? undefined : end) ?? "";
	const { type, id, cwd, runtime } = parseJsonObject(line) ?? {};
	if (type !== "session" || typeof id !== "string" || typeof cwd !== "string") return undefined;
	// pi does not name itself in its header; the loop does.
	return { cwd, runtime: typeof runtime === "string" ? runtime : "pi" };
}
