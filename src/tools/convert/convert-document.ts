import {
	CONVERSION_LIMITS,
	type Conversion,
	ConversionError,
	type ConverterAnswer,
	type DocumentHint,
	parseConverterAnswer,
	renderConverterInput,
} from "@deputize/documents";
import { lastLine } from "@deputize/ground";
import { permissionFlag } from "../../contract/node-version.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { locatePart } from "../../parts/locate-part.ts";
import { heavyWork } from "../../process/heavy-work.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { type ConversionCost, explainStop } from "./explain-stop.ts";
import { listReadableRoots } from "./list-readable-roots.ts";

interface RunConverterOptions extends ConversionCost {
	readonly signal?: AbortSignal;
	/** An existing directory for the process to run in; nothing is written there. */
	readonly workingDirectory: string;
	/** Where optional parts were installed; without it, those beside this package are used. */
	readonly agentDirectory?: string | undefined;
	/** The node that runs the converter. */
	readonly nodePath?: string;
}

export interface ConvertDocumentOptions extends RunConverterOptions {
	readonly maxInputBytes: number;
}

/** JSON may double every character of the Markdown, and UTF-8 may triple that. */
const MAX_ANSWER_BYTES = CONVERSION_LIMITS.maxMarkdownChars * 6;
/** The heap is only part of a process: buffers and the native PDF engine live outside. */
const HEAP_SHARE = 0.6;
const OUT_OF_MEMORY = /heap out of memory|allocation failed|ERR_STRING_TOO_LONG|Array buffer allocation/i;

/** The same as `convertApart`, with a refusal as an answer. Never rejects. */
export async function convertDocument(
	bytes: Uint8Array,
	hint: DocumentHint,
	options: ConvertDocumentOptions,
): Promise<ConverterAnswer> {
	try {
		return { ok: true, ...(await convertApart(bytes, hint, options)) };
	} catch (error) {
		if (!(error instanceof ConversionError)) throw error;
		return { ok: false, code: error.code, message: error.message };
	}
}

/**
 * Bytes to Markdown in a separate process, which is killed when it takes too long or too much memory. Nothing of
 * the document touches the disk. Throws `ConversionError`.
 */
export async function convertApart(
	bytes: Uint8Array,
	hint: DocumentHint,
	options: ConvertDocumentOptions,
): Promise<Conversion> {
	const { timeoutMs, maxInputBytes, signal } = options;
	if (bytes.byteLength > maxInputBytes)
		throw new ConversionError(
			"FILE_TOO_LARGE",
			`The document has ${bytes.byteLength} bytes; at most ${maxInputBytes} are converted (convert.maxInputBytes).`,
		);
	const deadline = performance.now() + timeoutMs;
	const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
	const leave = await heavyWork().take({ signal: AbortSignal.any(signals) });
	if (!leave) throw explainEnding({ reason: signal?.aborted ? "aborted" : "timeout" }, options);
	try {
		return await runConverter(bytes, hint, options, deadline);
	} finally {
		leave();
	}
}

/** The process itself, for somebody who has a slot for heavy work and looked at the size. Throws `ConversionError`. */
export async function runConverter(
	bytes: Uint8Array,
	hint: DocumentHint,
	options: RunConverterOptions,
	deadline: number = performance.now() + options.timeoutMs,
): Promise<Conversion> {
	const { workingDirectory, nodePath = process.execPath, maxMemoryMb, signal } = options;
	const ending = await runCommand({
		command: nodePath,
		args: converterArguments(hint, options),
		cwd: workingDirectory,
		env: {},
		input: renderConverterInput(bytes, hint),
		timeoutMs: Math.max(1, deadline - performance.now()),
		maxStdoutBytes: MAX_ANSWER_BYTES,
		maxRssMb: maxMemoryMb,
		...(signal && { signal }),
	});
	const answer = ending.reason === "exit" ? parseConverterAnswer(ending.stdout.toString("utf8")) : undefined;
	if (answer?.ok) return answer;
	throw answer ? new ConversionError(answer.code, answer.message) : explainEnding(ending, options);
}

/**
 * The process may read program code and nothing else, and may not write, start programs or workers: a hole in a
 * parser then opens onto very little.
 */
function converterArguments(
	{ pageUrl }: DocumentHint,
	{ maxMemoryMb, agentDirectory }: RunConverterOptions,
): string[] {
	const program = locateEntryPoint("converter");
	const isPage = pageUrl !== undefined;
	const documents = isPage ? undefined : locatePart("documents", { agentDirectory });
	const readable = new Set([
		...listReadableRoots(program),
		...(documents === undefined ? [] : [documents.modules]),
	]);
	return [
		`--max-old-space-size=${Math.floor(maxMemoryMb * HEAP_SHARE)}`,
		permissionFlag(),
		...(isPage ? [] : ["--allow-addons"]),
		...[...readable].map((root) => `--allow-fs-read=${root}`),
		"--disable-warning=SecurityWarning",
		"--disable-warning=ExperimentalWarning",
		program,
		...(documents === undefined ? [] : [documents.modules, documents.source]),
	];
}

function explainEnding(
	ending: Pick<CommandEnding, "reason"> & Partial<CommandEnding>,
	cost: ConversionCost,
): ConversionError {
	const { stderr = "", signal, exitCode } = ending;
	const ranOut = ending.reason === "exit" && (OUT_OF_MEMORY.test(stderr) || signal === "SIGABRT");
	const stop = explainStop(ranOut ? { reason: "memory-limit" } : ending, "The conversion", cost);
	if (stop) return stop;
	if (ending.reason === "spawn-error")
		return new ConversionError(
			"CONVERT_FAILED",
			`The converter could not be started: ${ending.message ?? "unknown reason"}`,
		);
	const last = lastLine(stderr);
	return new ConversionError(
		"CONVERT_FAILED",
		`The converter ended without an answer (${signal ?? `exit code ${exitCode}`})${last ? `: ${last}` : "."}`,
	);
}
