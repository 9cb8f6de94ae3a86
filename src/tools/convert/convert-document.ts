import { permissionFlag } from "../../contract/node-version.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { heavyWork } from "../../process/heavy-work.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { lastLine } from "../../text/last-line.ts";
import { CONVERSION_LIMITS } from "./conversion-limits.ts";
import type { DocumentHint } from "./converted-document.ts";
import { type ConverterAnswer, parseConverterAnswer, renderConverterInput } from "./converter-protocol.ts";
import { listReadableRoots } from "./list-readable-roots.ts";

export interface ConvertDocumentOptions {
	readonly timeoutMs: number;
	readonly maxInputBytes: number;
	readonly maxMemoryMb: number;
	readonly signal?: AbortSignal;
	/** An existing directory for the process to run in; nothing is written there. */
	readonly workingDirectory: string;
	/** Where optional parts were installed; without it, those beside this package are used. */
	readonly agentDirectory?: string | undefined;
	/** The node that runs the converter. */
	readonly nodePath?: string;
}

/** JSON may double every character of the Markdown, and UTF-8 may triple that. */
const MAX_ANSWER_BYTES = CONVERSION_LIMITS.maxMarkdownChars * 6;
/** The heap is only part of a process: buffers and the native PDF engine live outside. */
const HEAP_SHARE = 0.6;
const OUT_OF_MEMORY = /heap out of memory|allocation failed|ERR_STRING_TOO_LONG|Array buffer allocation/i;

const ABORTED: ConverterAnswer = {
	ok: false,
	code: "CONVERT_ABORTED",
	message: "The conversion was cancelled.",
};

function conversionTimedOut(timeoutMs: number): ConverterAnswer {
	return {
		ok: false,
		code: "CONVERT_TIMEOUT",
		message: `The conversion took longer than ${timeoutMs} ms and was stopped. Raise timeoutMs if the document is worth it.`,
	};
}

/**
 * Bytes to Markdown in a separate process, which is killed when it takes too long or too much memory. Nothing of
 * the document touches the disk. Never rejects.
 */
export async function convertDocument(
	bytes: Uint8Array,
	hint: DocumentHint,
	options: ConvertDocumentOptions,
): Promise<ConverterAnswer> {
	if (bytes.byteLength > options.maxInputBytes)
		return {
			ok: false,
			code: "FILE_TOO_LARGE",
			message: `The document has ${bytes.byteLength} bytes; at most ${options.maxInputBytes} are converted (convert.maxInputBytes).`,
		};
	const deadline = performance.now() + options.timeoutMs;
	const signals = [AbortSignal.timeout(options.timeoutMs), ...(options.signal ? [options.signal] : [])];
	const leave = await heavyWork().take({ signal: AbortSignal.any(signals) });
	if (!leave) return options.signal?.aborted === true ? ABORTED : conversionTimedOut(options.timeoutMs);
	try {
		return await runConverter(bytes, hint, options, Math.max(1, deadline - performance.now()));
	} finally {
		leave();
	}
}

async function runConverter(
	bytes: Uint8Array,
	hint: DocumentHint,
	options: ConvertDocumentOptions,
	/** What is left of `options.timeoutMs`, which messages name. */
	timeoutMs: number,
): Promise<ConverterAnswer> {
	const ending = await runCommand({
		command: options.nodePath ?? process.execPath,
		args: converterArguments(options),
		cwd: options.workingDirectory,
		env: {},
		input: renderConverterInput(bytes, hint),
		timeoutMs,
		maxStdoutBytes: MAX_ANSWER_BYTES,
		maxRssMb: options.maxMemoryMb,
		...(options.signal && { signal: options.signal }),
	});
	return explainEnding(ending, options);
}

/**
 * The process may read program code and nothing else, and may not write, start programs or workers: a hole in a
 * parser then opens onto very little.
 */
function converterArguments({ maxMemoryMb, agentDirectory }: ConvertDocumentOptions): string[] {
	const program = locateEntryPoint("converter");
	const documents = locatePart("documents", { agentDirectory })?.modules;
	const readable = new Set([...listReadableRoots(program), ...(documents === undefined ? [] : [documents])]);
	return [
		`--max-old-space-size=${Math.floor(maxMemoryMb * HEAP_SHARE)}`,
		permissionFlag(),
		"--allow-addons",
		...[...readable].map((root) => `--allow-fs-read=${root}`),
		"--disable-warning=SecurityWarning",
		"--disable-warning=ExperimentalWarning",
		program,
		documents ?? "",
	];
}

function explainEnding(
	ending: CommandEnding,
	{ timeoutMs, maxMemoryMb }: ConvertDocumentOptions,
): ConverterAnswer {
	const answer = ending.reason === "exit" ? parseConverterAnswer(ending.stdout.toString("utf8")) : undefined;
	if (answer) return answer;
	switch (ending.reason) {
		case "timeout":
			return conversionTimedOut(timeoutMs);
		case "aborted":
			return ABORTED;
		case "memory-limit":
			return memoryExceeded(maxMemoryMb);
		case "spawn-error":
			return {
				ok: false,
				code: "CONVERT_FAILED",
				message: `The converter could not be started: ${ending.message ?? "unknown reason"}`,
			};
		default:
			return explainDeath(ending, maxMemoryMb);
	}
}

function explainDeath(ending: CommandEnding, maxMemoryMb: number): ConverterAnswer {
	if (OUT_OF_MEMORY.test(ending.stderr) || ending.signal === "SIGABRT") return memoryExceeded(maxMemoryMb);
	const last = lastLine(ending.stderr);
	return {
		ok: false,
		code: "CONVERT_FAILED",
		message: `The converter ended without an answer (${ending.signal ?? `exit code ${ending.exitCode}`})${last ? `: ${last}` : "."}`,
	};
}

function memoryExceeded(maxMemoryMb: number): ConverterAnswer {
	return {
		ok: false,
		code: "CONVERT_MEMORY_EXCEEDED",
		message: `The conversion needed more than ${maxMemoryMb} MB of memory and was stopped (convert.maxMemoryMb).`,
	};
}
