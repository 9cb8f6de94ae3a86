import { basename } from "node:path";
import {
	CONVERT_ERROR_CODES,
	ConversionError,
	type ConvertErrorCode,
	type DocumentHint,
	type LoadedDocument,
} from "@deputize/documents";
import { decodePercent } from "@deputize/ground";

interface DownloadLimits {
	readonly maxBytes: number;
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
}

export type DownloadDocument = (
	url: string,
	limits: DownloadLimits,
) => Promise<
	| ({ readonly ok: true; readonly bytes: Uint8Array } & DocumentHint)
	| { readonly ok: false; readonly code: string; readonly message: string }
>;

/** Fetches through the guarded client of the host, and puts its refusals into the codes of this tool. */
export async function downloadDocument(
	url: string,
	limits: DownloadLimits,
	download: DownloadDocument | undefined,
): Promise<Omit<LoadedDocument, "key">> {
	if (!URL.canParse(url)) throw new ConversionError("INVALID_INPUT", `"${url}" is not an address.`);
	const { protocol, pathname } = new URL(url);
	if (protocol !== "http:" && protocol !== "https:")
		throw new ConversionError(
			"UNSUPPORTED_PROTOCOL",
			`Only http and https addresses are fetched, not ${protocol.slice(0, -1)}. For a file on this machine use path.`,
		);
	if (!download)
		throw new ConversionError("NETWORK_ERROR", "Downloads are not available here. Give a path instead.");
	const answer = await download(url, limits);
	if (!answer.ok) throw new ConversionError(translateCode(answer.code), answer.message);
	const { bytes, contentType, fileName = basename(decodePercent(pathname)) } = answer;
	return { bytes, hint: { ...(contentType && { contentType }), ...(fileName && { fileName }) } };
}

function translateCode(code: string): ConvertErrorCode {
	if (Object.hasOwn(CONVERT_ERROR_CODES, code)) return code as ConvertErrorCode;
	if (code.includes("TOO_LARGE")) return "FILE_TOO_LARGE";
	if (code.includes("TIMEOUT")) return "CONVERT_TIMEOUT";
	if (code.includes("INVALID_URL")) return "INVALID_INPUT";
	return code.includes("ABORT") ? "CONVERT_ABORTED" : "NETWORK_ERROR";
}
