import type { ToolContext } from "../../contract/tool.ts";
import type { ConversionCache, ConvertedAnswer } from "./conversion-cache.ts";
import { ConversionError } from "./conversion-error.ts";
import { convertApart } from "./convert-document.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { convertWithProgram, programReads } from "./convert-with-program.ts";
import type { Conversion, DocumentHint } from "./converted-document.ts";
import { detectFormat } from "./detect/detect-format.ts";
import { downloadDocument } from "./download-document.ts";
import type { ConvertRequest } from "./parse-convert-input.ts";
import { readWorkspaceFile } from "./read-workspace-file.ts";

interface LoadedDocument {
	readonly bytes: Uint8Array;
	readonly hint: DocumentHint;
	/** Under which what it becomes is kept. */
	readonly key: string;
}

/** Gets the document and converts it, within one deadline for both. Throws `ConversionError`. */
export async function convertSource(
	request: ConvertRequest,
	context: ToolContext,
	options: ConvertToolOptions,
	cache: ConversionCache,
): Promise<ConvertedAnswer> {
	const deadline = performance.now() + request.timeoutMs;
	const { kind, value } = request.source;
	// A later page of an address is a page of what was read before, not of what the server has by now.
	const urlKey = `url ${value}`;
	const earlier = kind === "url" && request.offset > 0 ? cache.get(urlKey) : undefined;
	if (earlier) return earlier;
	const document =
		kind === "url"
			? { ...(await download(request, context, options)), key: urlKey }
			: readFile(value, context, options);
	const known = kind === "path" ? cache.get(document.key) : undefined;
	if (known) return known;
	context.onProgress?.(`converting ${document.hint.fileName ?? value}`);
	const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
	const answer = await convertLoaded(document, timeoutMs, context.signal, options).catch((error: unknown) => {
		throw tellAskedTime(error, request.timeoutMs);
	});
	const kept = {
		...answer,
		fileSize: document.bytes.byteLength,
		metadata: { ...document.hint, ...answer.metadata },
	};
	cache.set(document.key, kept);
	return kept;
}

function readFile(path: string, { cwd }: ToolContext, { config, judge }: ConvertToolOptions): LoadedDocument {
	const { bytes, fileName, version } = readWorkspaceFile(path, { cwd, judge }, config.maxInputBytes);
	return { bytes, hint: { fileName }, key: `path ${version}` };
}

async function download(
	{ source, timeoutMs }: ConvertRequest,
	{ signal }: ToolContext,
	{ config, download: fetchDocument }: ConvertToolOptions,
): Promise<Omit<LoadedDocument, "key">> {
	const limits = { maxBytes: config.maxInputBytes, timeoutMs, signal };
	const { bytes, fileName, contentType } = await downloadDocument(source.value, limits, fetchDocument);
	return { bytes, hint: { ...(contentType && { contentType }), ...(fileName && { fileName }) } };
}

async function convertLoaded(
	{ bytes, hint }: LoadedDocument,
	timeoutMs: number,
	signal: AbortSignal,
	{ config, env, temporaryDirectory, agentDirectory }: ConvertToolOptions,
): Promise<Conversion & { readonly provider: string }> {
	const { provider, command, maxMemoryMb, maxInputBytes } = config;
	const format = provider === "builtin" ? undefined : tryDetect(bytes, hint);
	if (provider !== "builtin" && format && programReads(provider, format)) {
		const limits = { provider, command, env, temporaryDirectory, timeoutMs, maxMemoryMb, signal };
		return { ...(await convertWithProgram(bytes, hint, format, limits)), provider };
	}
	const workingDirectory = temporaryDirectory;
	const limits = { timeoutMs, maxInputBytes, maxMemoryMb, signal, workingDirectory, agentDirectory };
	return { ...(await convertApart(bytes, hint, limits)), provider: "builtin" };
}

/** Undefined when nothing reads it; the built-in converter then says why. */
function tryDetect(bytes: Uint8Array, hint: DocumentHint): ReturnType<typeof detectFormat> | undefined {
	try {
		return detectFormat(bytes, hint);
	} catch (error) {
		if (error instanceof ConversionError) return undefined;
		throw error;
	}
}

/** The caller knows the time it asked for, not what the download left of it. */
function tellAskedTime(error: unknown, timeoutMs: number): unknown {
	return error instanceof ConversionError && error.code === "CONVERT_TIMEOUT"
		? new ConversionError(
				error.code,
				`Getting and converting the document took longer than ${timeoutMs} ms and was stopped. Raise timeoutMs if it is worth it.`,
			)
		: error;
}
