import { decodeText } from "@deputize/ground";
import type { ConvertedDocument, DocumentHint } from "../converted-document.ts";

/** Text, Markdown, JSON and source code stay as they are. */
export function readPlainText(bytes: Uint8Array, { contentType }: DocumentHint): ConvertedDocument {
	const { text, charset } = decodeText(bytes, contentType);
	return { markdown: text.replace(/\r\n?/g, "\n").trimEnd(), metadata: { charset } };
}
