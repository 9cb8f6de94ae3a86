import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, makePrivateDirectory } from "@deputize/ground";
import type { RuntimeName } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { SessionPlan } from "../contract/plan.ts";
import { prepareAnswersDirectory } from "../judge/answers-directory.ts";
import { runAtExit } from "../process/live-children.ts";
import { checkSessionFile } from "./check-session-file.ts";
import { lockSession } from "./lock-session.ts";
import { makeFilePrivate } from "./make-file-private.ts";
import { sessionDirectory, sessionFile, sessionsRoot } from "./session-path.ts";

export interface OpenSession {
	readonly plan: SessionPlan;
	/** A line for the person when this session cannot be kept. */
	readonly notice?: string;
	noteChild(pid: number): void;
	/** Whether a later call can continue it: a run that ends early may not have written anything yet. */
	isResumable(): boolean;
	/** Lets the next run have the session. Idempotent. */
	close(): void;
}

interface WantedSession {
	readonly home: string;
	readonly cwd: string;
	readonly agent: string;
	/** Each runtime writes its own kind of file. */
	readonly runtime?: RuntimeName;
	readonly sessionId?: string | undefined;
}

/** A new session, or the one with this id for this agent in this directory. One run at a time has it. */
export function openSession(options: WantedSession): OpenSession {
	const plan = planSession(options);
	const { file } = plan;
	const failure = tryToMake(dirname(file));
	if (failure !== undefined) {
		if (options.sessionId === undefined && NOT_WRITABLE.includes(failure))
			return openPassingSession(plan, failure);
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`The session directory ${dirname(file)} cannot be made (${failure}).`,
		);
	}
	prepareAnswersDirectory(options.home, options.cwd);
	const lock = lockSession(file);
	const expected = { cwd: options.cwd, runtime: options.runtime ?? "pi" };
	try {
		if (options.sessionId !== undefined) checkSessionFile(file, expected);
	} catch (error) {
		lock.release();
		throw error;
	}
	return {
		plan,
		noteChild: (pid) => lock.noteChild(pid),
		isResumable: () => canResume(file, expected),
		close() {
			// pi creates the file for everybody to read; its content is the user's alone.
			makeFilePrivate(file);
			lock.release();
		},
	};
}

function canResume(file: string, expected: Parameters<typeof checkSessionFile>[1]): boolean {
	try {
		checkSessionFile(file, expected);
		return true;
	} catch {
		return false;
	}
}

/** Which session it would be, without touching anything. One that is to be continued has to exist. */
export function planSession(options: WantedSession): SessionPlan {
	const id = options.sessionId ?? randomUUID();
	const file = sessionFile(sessionDirectory(sessionsRoot(options.home), options.cwd), options.agent, id);
	if (options.sessionId !== undefined && !exists(file)) {
		throw new DelegationError(
			"INVALID_INPUT",
			`There is no session ${id} of the agent ${options.agent} in this directory. Leave the session id out to start a new one.`,
		);
	}
	return { id, file, resumed: options.sessionId !== undefined };
}

/** A link that points nowhere exists too: it must be refused as a link, not reported as missing. */
function exists(file: string): boolean {
	try {
		return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
	} catch {
		// Where it cannot be looked for, it is not there for us.
		return false;
	}
}

/** Undefined, or the code of what went wrong. */
function tryToMake(directory: string): string | undefined {
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		return undefined;
	} catch (error) {
		return codeOf(error);
	}
}

/** A home directory that nobody may write to, as in many containers. A full disk is another matter: it can be mended. */
const NOT_WRITABLE = ["EACCES", "EPERM", "EROFS", "ENOTDIR"];

function makePassingDirectory(wanted: string, failure: string): string {
	try {
		return makePrivateDirectory("deputize-session-");
	} catch (error) {
		if (!NOT_WRITABLE.includes(codeOf(error) ?? "")) throw error;
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`A child needs a place for its session, and neither ${wanted} (${failure}) nor the temporary directory (${codeOf(error)}) can be written to. Set HOME or TMPDIR to a directory that can.`,
		);
	}
}

/** The transcript a child needs while it runs, in a temporary directory that goes with it. */
function openPassingSession(plan: SessionPlan, failure: string): OpenSession {
	const directory = makePassingDirectory(dirname(plan.file), failure);
	const remove = (): void => rmSync(directory, { recursive: true, force: true });
	const forget = runAtExit(remove);
	return {
		plan: { ...plan, file: join(directory, basename(plan.file)) },
		notice: `${dirname(plan.file)} cannot be made (${failure}): this run keeps no session and cannot be continued. Set HOME to a directory you can write to.`,
		noteChild: () => undefined,
		isResumable: () => false,
		close() {
			forget();
			remove();
		},
	};
}
