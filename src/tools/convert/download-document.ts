import { basename } from "node:path";
import { decodePercent } from "../../markup/decode-percent.ts";
import { CONVERT_ERROR_CODES, type ConvertErrorCode } from "./conversion-error.ts";

export type DownloadDocument = (
	url: string,
	limits: { readonly maxBytes: number; readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<
	| {
			readonly ok: true;
			readonly bytes: Uint8Array;
			readonly fileName?: string;
			readonly contentType?: string;
	  }
	| { readonly ok: false; readonly code: string; readonly message: string }
>;

export type Download =
	| {
			readonly ok: true;
			readonly bytes: Uint8Array;
			readonly fileName?: string;
			readonly contentType?: string;
	  }
	| { readonly ok: false; readonly code: ConvertErrorCode; readonly message: string };

/** Fetches through the guarded client of the host, and puts its refusals into the codes of this tool. */
export async function downloadDocument(
	url: string,
	limits: { readonly maxBytes: number; readonly timeoutMs: number; readonly signal: AbortSignal },
	download: DownloadDocument | undefined,
): Promise<Download> {
	if (!URL.canParse(url)) return { ok: false, code: "INVALID_INPUT", message: `"${url}" is not an address.` };
	const { protocol, pathname } = new URL(url);
	if (protocol !== "http:" && protocol !== "https:")
		return {
			ok: false,
			code: "UNSUPPORTED_PROTOCOL",
			message: `Only http and https addresses are fetched, not ${protocol.slice(0, -1)}. For a file on this machine use path.`,
		};
	if (!download)
		return {
			ok: false,
			code: "NETWORK_ERROR",
			message: "Downloads are not available here. Give a path instead.",
		};
	const answer = await download(url, limits);
	if (!answer.ok) return { ok: false, code: translateCode(answer.code), message: answer.message };
	const fileName = answer.fileName ?? basename(decodePercent(pathname));
	return { ...answer, ...(fileName && { fileName }) };
}

function translateCode(code: string): ConvertErrorCode {
	if (Object.hasOwn(CONVERT_ERROR_CODES, code)) return code as ConvertErrorCode;
	if (code.includes("TOO_LARGE")) return "FILE_TOO_LARGE";
	if (code.includes("TIMEOUT")) return "CONVERT_TIMEOUT";
	if (code.includes("INVALID_URL")) return "INVALID_INPUT";
	return code.includes("ABORT") ? "CONVERT_ABORTED" : "NETWORK_ERROR";
}
