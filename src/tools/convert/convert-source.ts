import type { ToolContext } from "../../contract/tool.ts";
import type { ConversionCache, ConvertedAnswer } from "./conversion-cache.ts";
import { ConversionError, type ConvertErrorCode } from "./conversion-error.ts";
import { convertDocument } from "./convert-document.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { convertWithProgram, programReads } from "./convert-with-program.ts";
import type { DocumentHint } from "./converted-document.ts";
import type { ConverterAnswer } from "./converter-protocol.ts";
import { detectFormat } from "./detect/detect-format.ts";
import { downloadDocument } from "./download-document.ts";
import type { ConvertRequest } from "./parse-convert-input.ts";
import { readWorkspaceFile } from "./read-workspace-file.ts";

type Failure = { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

interface LoadedDocument {
	readonly ok: true;
	readonly bytes: Uint8Array;
	readonly hint: DocumentHint;
	readonly key: string;
}

/** Gets the document and converts it, within one deadline for both. */
export async function convertSource(
	request: ConvertRequest,
	context: ToolContext,
	options: ConvertToolOptions,
	cache: ConversionCache,
): Promise<ConvertedAnswer | Failure> {
	const deadline = performance.now() + request.timeoutMs;
	// A later page of an address is a page of what was read before, not of what the server has by now.
	const urlKey = `url ${request.source.value}`;
	const earlier = request.source.kind === "url" && request.offset > 0 ? cache.get(urlKey) : undefined;
	if (earlier) return earlier;
	const document = await load(request, context, options, urlKey);
	if (!document.ok) return document;
	const known = request.source.kind === "path" ? cache.get(document.key) : undefined;
	if (known) return known;
	context.onProgress?.(`converting ${document.hint.fileName ?? request.source.value}`);
	const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
	const answer = await convertLoaded(document, timeoutMs, context.signal, options);
	if (!answer.ok) return tellAskedTime(answer, request.timeoutMs);
	const kept = {
		...answer,
		fileSize: document.bytes.byteLength,
		metadata: { ...fileFacts(document), ...answer.metadata },
	};
	cache.set(document.key, kept);
	return kept;
}

async function load(
	{ source, timeoutMs }: ConvertRequest,
	{ cwd, signal }: ToolContext,
	{ config, download, judge }: ConvertToolOptions,
	urlKey: string,
): Promise<LoadedDocument | Failure> {
	if (source.kind === "path") {
		const file = readWorkspaceFile(source.value, { cwd, judge }, config.maxInputBytes);
		return file.ok
			? { ok: true, bytes: file.bytes, hint: { fileName: file.fileName }, key: `path ${file.version}` }
			: file;
	}
	const limits = { maxBytes: config.maxInputBytes, timeoutMs, signal };
	const body = await downloadDocument(source.value, limits, download);
	if (!body.ok) return body;
	const { bytes, fileName, contentType } = body;
	return {
		ok: true,
		bytes,
		hint: { ...(fileName && { fileName }), ...(contentType && { contentType }) },
		key: urlKey,
	};
}

async function convertLoaded(
	{ bytes, hint }: LoadedDocument,
	timeoutMs: number,
	signal: AbortSignal,
	{ config, env, temporaryDirectory, agentDirectory }: ConvertToolOptions,
): Promise<(Extract<ConverterAnswer, { ok: true }> & { provider: string }) | Failure> {
	const { provider, command, maxMemoryMb, maxInputBytes } = config;
	if (provider !== "builtin") {
		const format = tryDetect(bytes, hint);
		if (format && programReads(provider, format)) {
			const limits = { provider, command, env, temporaryDirectory, timeoutMs, maxMemoryMb, signal };
			const answer = await convertWithProgram(bytes, hint, format, limits);
			return answer.ok ? { ...answer, provider } : answer;
		}
	}
	const answer = await convertDocument(bytes, hint, {
		timeoutMs,
		maxInputBytes,
		maxMemoryMb,
		signal,
		workingDirectory: temporaryDirectory,
		agentDirectory,
	});
	return answer.ok ? { ...answer, provider: "builtin" } : answer;
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
function tellAskedTime(failure: Failure, timeoutMs: number): Failure {
	if (failure.code !== "CONVERT_TIMEOUT") return failure;
	return {
		...failure,
		message: `Getting and converting the document took longer than ${timeoutMs} ms and was stopped. Raise timeoutMs if it is worth it.`,
	};
}

function fileFacts({ hint }: LoadedDocument): Record<string, string> {
	return {
		...(hint.contentType && { contentType: hint.contentType }),
		...(hint.fileName && { fileName: hint.fileName }),
	};
}
