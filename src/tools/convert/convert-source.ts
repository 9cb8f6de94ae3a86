import {
	type Conversion,
	ConversionError,
	type DocumentHint,
	detectFormat,
	type LoadedDocument,
} from "@deputize/documents";
import type { ToolContext } from "../../contract/tool.ts";
import type { ConversionCache, ConvertedAnswer } from "./conversion-cache.ts";
import { convertApart } from "./convert-document.ts";
import type { ConvertToolOptions } from "./convert-tool-options.ts";
import { convertWithProgram, programReads } from "./convert-with-program.ts";
import { downloadDocument } from "./download-document.ts";
import type { ConvertRequest } from "./parse-convert-input.ts";
import { readWorkspaceFile } from "./read-workspace-file.ts";

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
	const { maxInputBytes: maxBytes } = options.config;
	const limits = { maxBytes, timeoutMs: request.timeoutMs, signal: context.signal };
	const document: LoadedDocument =
		kind === "url"
			? { ...(await downloadDocument(value, limits, options.download)), key: urlKey }
			: readWorkspaceFile(value, { cwd: context.cwd, judge: options.judge }, maxBytes);
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

async function convertLoaded(
	{ bytes, hint }: LoadedDocument,
	timeoutMs: number,
	signal: AbortSignal,
	options: ConvertToolOptions,
): Promise<Conversion & { readonly provider: string }> {
	const { provider } = options.config;
	const limits = { ...options.config, ...options, timeoutMs, signal };
	const format = provider === "builtin" ? undefined : tryDetect(bytes, hint);
	if (provider !== "builtin" && format && programReads(provider, format))
		return { ...(await convertWithProgram(bytes, hint, format, { ...limits, provider })), provider };
	const workingDirectory = limits.temporaryDirectory;
	return { ...(await convertApart(bytes, hint, { ...limits, workingDirectory })), provider: "builtin" };
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
