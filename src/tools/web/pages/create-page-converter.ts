import { dirname } from "node:path";
import { type Conversion, ConversionError } from "@deputize/documents";
import { asText } from "@deputize/ground";
import { locateEntryPoint } from "../../../entry-points.ts";
import { heavyWork } from "../../../process/heavy-work.ts";
import { runConverter } from "../../convert/convert-document.ts";
import { WebError } from "../web-error.ts";

/** A 700 KB reference page takes about two seconds of an idle machine. */
const DEADLINE_MS = 30_000;
const PLAIN_DEADLINE_MS = 20_000;
const MAX_MEMORY_MB = 850;

interface ConvertedPage {
	readonly title: string;
	readonly markdown: string;
	/** Almost no text and several scripts: the page is drawn by scripts that are not run here. */
	readonly needsScripts: boolean;
	readonly warning?: string;
}

export type PageConverter = (html: string, url: string, signal: AbortSignal) => Promise<ConvertedPage>;

/**
 * HTML to Markdown in the converter's process, so that no page can stall or exhaust the host: a thread that runs out of
 * memory can take the whole host with it. A page that is too slow or too large still gives its text, which takes one pass
 * over its characters.
 */
export function createPageConverter(deadlineMs: number = DEADLINE_MS): PageConverter {
	const workingDirectory = dirname(locateEntryPoint("converter"));
	async function run(
		html: string,
		hint: { pageUrl: string; plainBecause?: string },
		limits: { timeoutMs: number; signal: AbortSignal },
	): Promise<Conversion | ConversionError> {
		try {
			return await runConverter(Buffer.from(html), hint, {
				...limits,
				maxMemoryMb: MAX_MEMORY_MB,
				workingDirectory,
			});
		} catch (error) {
			if (!(error instanceof ConversionError)) throw error;
			if (error.code === "CONVERT_ABORTED") throw new WebError("ABORTED", "The call was cancelled.");
			return error;
		}
	}

	async function convert(html: string, url: string, signal: AbortSignal): Promise<Conversion> {
		const full = await run(html, { pageUrl: url }, { timeoutMs: deadlineMs, signal });
		if (!(full instanceof ConversionError)) return full;
		const hint = { pageUrl: url, plainBecause: explainPlain(full) };
		const plain = await run(html, hint, { timeoutMs: PLAIN_DEADLINE_MS, signal });
		if (!(plain instanceof ConversionError)) return plain;
		throw new WebError("CONTENT_FETCH_FAILED", `${url}: ${explainPlain(plain)} ${plain.message}`);
	}

	return async (html, url, signal) => {
		const leave = await heavyWork().take({ signal });
		if (!leave) throw new WebError("ABORTED", "The call was cancelled.");
		try {
			const { title = "", markdown, truncated, metadata } = await convert(html, url, signal);
			const warning = [
				asText(metadata["warning"]),
				truncated ? `Its text is longer than the ${markdown.length} characters that are shown.` : "",
			]
				.join(" ")
				.trim();
			return {
				title,
				markdown,
				needsScripts: metadata["needsScripts"] === true,
				...(warning && { warning }),
			};
		} finally {
			leave();
		}
	};
}

function explainPlain({ code }: ConversionError): string {
	if (code === "CONVERT_TIMEOUT") return "The page took too long to convert.";
	return code === "CONVERT_MEMORY_EXCEEDED"
		? "The page needs too much memory to convert."
		: "The page could not be converted.";
}
