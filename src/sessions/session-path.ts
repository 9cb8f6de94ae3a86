import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DelegationError } from "../contract/error-codes.ts";
import { isAgentName, SESSION_ID_PATTERN } from "../contract/limits.ts";
import { hashPath } from "../judge/answers-directory.ts";

export function sessionsRoot(home: string): string {
	return join(home, ".pi", "subagent-sessions");
}

/** Sessions belong to a real directory: two paths to one project share them, a moved project has none. */
export function sessionDirectory(root: string, cwd: string): string {
	return join(root, hashPath(realpathSync(cwd)));
}

/** Names are refused rather than cleaned: a cleaned name could be another session's. */
export function sessionFile(directory: string, agent: string, sessionId: string): string {
	const file = join(directory, `${agent}_${sessionId}.jsonl`);
	const inside = dirname(resolve(file)) === resolve(directory);
	if (!inside || !isAgentName(agent) || !SESSION_ID_PATTERN.test(sessionId)) {
		throw new DelegationError(
			"INVALID_INPUT",
			`No session can be named ${JSON.stringify(`${agent}_${sessionId}`)}.`,
		);
	}
	return file;
}

/** The other way round; undefined for what is not the file of a session. */
export function parseSessionName(
	name: string,
): { readonly agent: string; readonly sessionId: string } | undefined {
	const [, agent = "", sessionId = ""] = /^(.+)_([^_]+)\.jsonl$/.exec(name) ?? [];
	return isAgentName(agent) && SESSION_ID_PATTERN.test(sessionId) ? { agent, sessionId } : undefined;
}
