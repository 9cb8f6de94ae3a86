import { rmSync } from "node:fs";
import {
	collectBytes,
	createLineSplitter,
	defined,
	type Environment,
	explainCurrentDirectory,
	onAbort,
	renderSseEvent,
} from "@deputize/ground";
import { LIFELINE_VARIABLE, UNRESPONSIVE } from "../contract/loop.ts";
import { isStdoutClosed } from "../process/is-stdout-closed.ts";
import { type LastWords, type OwnThreadWatch, watchOwnThread } from "../process/watch-own-thread.ts";
import { badInput, EXIT_FAILED, EXIT_TIMEOUT, LoopError, toLoopError } from "./loop-error.ts";
import { EXEC_USAGE, type ProgramOptions, parseOptions } from "./parse-options.ts";
import { describeIgnoredFields, type LoopPayload, parsePayload } from "./parse-payload.ts";
import { createProgramOutlet } from "./program-outlet.ts";
import { runProgram } from "./run-program.ts";
import { createSecretScrubber, type SecretScrubber } from "./scrub-secrets.ts";
import { watchParent } from "./watch-parent.ts";

const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
const EXIT_SIGNALS = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;

/**
 * The whole program: payload in, answer out, one line of JSON on stderr when it fails. Resolves with the exit code.
 * `depth` is the level of delegation at which the command runs: inside a child it is refused, like every other door.
 * Without it, the program is the child of a parent of ours.
 */
export async function execProgram(
	args: readonly string[],
	env: Environment,
	depth?: number,
): Promise<number> {
	const run = new AbortController();
	const scrubber = createSecretScrubber(env);
	let watch: OwnThreadWatch | undefined;
	try {
		const options = parseOptions(args);
		if (options.help) {
			process.stdout.write(EXEC_USAGE);
			return 0;
		}
		if (depth !== undefined && depth > 0) throw tooDeep(depth);
		await watchForTheEnd(run, env);
		watch = watchThread(options);
		const { expectEnd } = watch;
		onAbort(run.signal, () => expectEnd(renderLastWords(toLoopError(run.signal.reason), options)));
		const program: Program = {
			env,
			options,
			isFromParent: depth === undefined,
			run,
			scrubber,
			beforeTool: watch.start,
			removeAtExit: createRemoval(),
		};
		return await (options.inTurn
			? answerInTurn(program)
			: answerOnce(await readPayload(run.signal), program));
	} catch (thrown) {
		return await explainFailure(thrown, { run, scrubber }, failBeforePayload(args.includes("--plain")));
	} finally {
		watch?.stop();
	}
}

interface Program {
	readonly env: Environment;
	readonly options: ProgramOptions;
	readonly isFromParent: boolean;
	readonly run: AbortController;
	readonly scrubber: SecretScrubber;
	readonly beforeTool: () => void;
	readonly removeAtExit: (directory: string | undefined) => void;
}

/** Reports a failure on stdout; true if the parent reads it there, so that the exit code need not say it again. */
type Fail = (failure: { readonly code: string; readonly message: string }) => boolean;

function failBeforePayload(plain: boolean): Fail {
	return (failure) => {
		openOutlet({ plain }).close(failure);
		return false;
	};
}

/** Resolves with the exit code. */
async function answerOnce(text: string, program: Program): Promise<number> {
	const { options, run, scrubber, beforeTool } = program;
	let fail = failBeforePayload(options.plain);
	let timer: NodeJS.Timeout | undefined;
	try {
		const payload = parsePayload(text, program);
		if (payload.ignored.length > 0)
			describeIgnoredFields(payload.ignored).forEach(await createNotices(scrubber));
		const lost = explainCurrentDirectory();
		if (lost !== undefined) throw badInput("invalid_option", lost);
		if (options.inTurn) refuseLanguageModel(payload);
		const keys = payload.child?.keys ?? {};
		const env = { ...program.env, ...keys };
		for (const secret of [env[payload.apiKeyName] ?? "", ...Object.values(keys)]) scrubber.add(secret);
		program.removeAtExit(payload.child?.tools?.run_directory);
		timer = setTimeout(() => run.abort(runTimedOut(options.timeoutMs)), options.timeoutMs);
		const outlet = openOutlet(options, payload);
		fail = (failure) => {
			outlet.reportFailure(failure.message, run.signal.aborted);
			outlet.close(failure);
			return payload.child !== undefined && !run.signal.aborted;
		};
		await runProgram(payload, {
			env,
			cwd: process.cwd(),
			signal: run.signal,
			idleTimeoutMs: options.idleTimeoutMs,
			outlet,
			scrubber,
			beforeTool,
			onMissing: (notice) => writeErrorLine({ notice }),
			...(options.verbose ? { onNotice: await createNotices(scrubber) } : {}),
		});
		outlet.close();
		await flushOutput();
		return 0;
	} catch (thrown) {
		return await explainFailure(thrown, program, fail);
	} finally {
		clearTimeout(timer);
	}
}

/** One payload a line, and the next when its answer is complete. The first that fails in a way its reader is not told of is the last. */
async function answerInTurn(program: Program): Promise<number> {
	const { signal } = program.run;
	for await (const line of readStdinLines(signal)) {
		// What a task leaves waiting for the signal goes with the task.
		const run = new AbortController();
		const unfollow = onAbort(signal, () => run.abort(signal.reason));
		const code = await answerOnce(line, { ...program, run });
		unfollow();
		if (code !== 0) return code;
	}
	if (signal.aborted) throw signal.reason;
	return 0;
}

/** A model's conversation gets a process of its own; the navigator keeps nothing from one task to the next. */
function refuseLanguageModel({ provider, child }: LoopPayload): void {
	if (provider === "offline" && child !== undefined) return;
	throw badInput("invalid_payload", "Only the offline navigator answers several payloads in turn.");
}

async function explainFailure(
	thrown: unknown,
	{ run, scrubber }: Pick<Program, "run" | "scrubber">,
	fail: Fail,
): Promise<number> {
	const error = toLoopError(run.signal.aborted ? run.signal.reason : thrown);
	const scrub = await scrubber.load();
	const message = scrub(error.message);
	const isTold = fail({ code: error.code, message });
	writeErrorLine(renderErrorLine(error, message));
	await flushOutput();
	return isTold ? 0 : (error.facts.exitCode ?? EXIT_FAILED);
}

/** Ends the process at its limit, and after a signal, even if this thread is too busy to do so. */
function watchThread(options: ProgramOptions): OwnThreadWatch {
	const { timeoutMs } = options;
	const silent = new LoopError(UNRESPONSIVE, "The program did not respond any more and was ended.");
	return watchOwnThread({
		limitMs: timeoutMs,
		late: renderLastWords(runTimedOut(timeoutMs), options),
		silent: renderLastWords(silent, options),
	});
}

function renderLastWords(error: LoopError, { plain }: Pick<ProgramOptions, "plain">): LastWords {
	const { code, message } = error;
	const events = [
		renderSseEvent("error", { id: "", delta: message, type: "error", code }),
		renderSseEvent("response_end", { id: "", delta: "", type: "response_end" }),
	];
	return {
		// The first line terminates whatever may have been written in part.
		stdout: plain ? "" : `\n\n${events.join("")}`,
		stderr: `${JSON.stringify(renderErrorLine(error, message))}\n`,
	};
}

async function createNotices(scrubber: SecretScrubber): Promise<(line: string) => void> {
	const scrub = await scrubber.load();
	return (line) => writeErrorLine({ notice: scrub(line) });
}

function openOutlet(options: Pick<ProgramOptions, "plain">, payload?: LoopPayload) {
	return createProgramOutlet({
		write: writeOutput,
		plain: options.plain,
		structured: payload?.output !== undefined,
		reportsEvents: payload?.child !== undefined,
	});
}

function writeOutput(text: string): Promise<void> | undefined {
	if (process.stdout.write(text)) return undefined;
	return new Promise((resolve) => process.stdout.once("drain", resolve));
}

function renderErrorLine(error: LoopError, message: string) {
	const { status, retryable = false } = error.facts;
	return { code: error.code, message, ...defined({ status }), retryable };
}

function writeErrorLine(value: unknown): void {
	process.stderr.write(`${JSON.stringify(value)}\n`);
}

function runTimedOut(timeoutMs: number): LoopError {
	return new LoopError("timeout", `The run was still going after ${timeoutMs} ms; it was stopped.`, {
		exitCode: EXIT_TIMEOUT,
	});
}

/** The parent removes the run's directory too; this covers a parent that was killed. */
function createRemoval(): Program["removeAtExit"] {
	const directories = new Set<string>();
	return (directory) => {
		if (directory === undefined || directories.has(directory)) return;
		directories.add(directory);
		process.once("exit", () => {
			try {
				rmSync(directory, { recursive: true, force: true });
			} catch {
				// In a sandbox the empty directory itself remains; the parent's next run sweeps it.
			}
		});
	};
}

function tooDeep(depth: number): LoopError {
	return new LoopError(
		"depth_exceeded",
		`A subagent cannot delegate further: this process is at depth ${depth}. Do the task here.`,
	);
}

/** A signal, a reader that went away, a parent that died: each ends the run. */
async function watchForTheEnd(run: AbortController, env: Environment): Promise<void> {
	const end = (reason: string, exitCode: number) => run.abort(new LoopError("aborted", reason, { exitCode }));
	for (const [signal, exitCode] of Object.entries(EXIT_SIGNALS)) {
		process.on(signal, () => end(`The run was ended by ${signal}.`, exitCode));
	}
	// Otherwise a stalled reader would block this thread in the middle of a write, and with it timers and signals.
	for (const stream of [process.stdout, process.stderr]) unblock(stream);
	// Nobody is reading any more: there is nothing left to do but to say so.
	process.stdout.on("error", (error: Error) => {
		const lost = new LoopError(
			"output_failed",
			`The answer could not be written to stdout (${error.message}).`,
		);
		writeErrorLine(renderErrorLine(lost, lost.message));
		process.exit(EXIT_FAILED);
	});
	process.stderr.on("error", () => process.exit(EXIT_FAILED));
	if (isStdoutClosed()) writeErrorLine({ notice: "stdout is closed: the answer cannot be read by anybody." });
	watchParent(() => end("The parent process is gone.", EXIT_SIGNALS.SIGTERM));
	if (env[LIFELINE_VARIABLE] !== undefined) (await import("../process/watch-lifeline.ts")).watchLifeline();
}

/** Node writes to pipes synchronously; the handle it does so with is not part of its types. */
function unblock(stream: NodeJS.WriteStream): void {
	(stream as { _handle?: { setBlocking?(isBlocking: boolean): void } })._handle?.setBlocking?.(false);
}

async function readPayload(signal: AbortSignal): Promise<string> {
	if (process.stdin.isTTY) {
		process.stderr.write("deputize exec: reading one JSON object from this terminal; end it with Ctrl-D.\n");
	}
	const unfollow = onAbort(signal, () => process.stdin.destroy());
	const { bytes, isCut } = await collectBytes(process.stdin, MAX_PAYLOAD_BYTES);
	unfollow();
	if (!isCut) return bytes.toString("utf8");
	throw badInput("invalid_payload", `The payload is larger than ${MAX_PAYLOAD_BYTES} bytes.`);
}

async function* readStdinLines(signal: AbortSignal): AsyncGenerator<string, void, void> {
	const lines: string[] = [];
	const splitter = createLineSplitter({
		maxLineBytes: MAX_PAYLOAD_BYTES,
		onLine: (line) => lines.push(line.toString("utf8")),
		onSkip: () => lines.push(""),
	});
	const unfollow = onAbort(signal, () => process.stdin.destroy());
	try {
		for await (const chunk of process.stdin) {
			splitter.push(chunk as Buffer);
			yield* lines.splice(0);
		}
		splitter.end();
		yield* lines;
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		unfollow();
	}
}

/** The last bytes may still be waiting for their reader. */
async function flushOutput(): Promise<void> {
	for (const stream of [process.stdout, process.stderr]) {
		if (stream.writableLength > 0) await new Promise((resolve) => stream.write("", resolve));
	}
}
