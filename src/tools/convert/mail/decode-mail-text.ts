import { decodeExactly, decodeText } from "../../../charset/decode-text.ts";

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]*)?\?([bqBQ])\?([^?\s]*)\?=/g;
const BETWEEN_ENCODED_WORDS = /(\?=)\s+(?==\?[\w.:*-]{1,60}\?[bqBQ]\?)/g;

function decodeQuotedPrintable(text: string): Buffer {
	const unfolded = text.replace(/[ \t]+(?=\r?\n|$)/g, "").replace(/=\r?\n/g, "");
	return Buffer.from(
		unfolded.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
		"latin1",
	);
}

/** A body part as bytes, by its Content-Transfer-Encoding. Each character of `body` is one byte. */
export function decodeTransfer(body: string, encoding: string): Buffer {
	if (encoding === "base64") return Buffer.from(body, "base64");
	if (encoding === "quoted-printable") return decodeQuotedPrintable(body);
	return Buffer.from(body, "latin1");
}

/** `=?UTF-8?Q?…?=` in headers. White space between two encoded words is not part of the text. */
function decodeEncodedWords(header: string): string {
	return header
		.replace(BETWEEN_ENCODED_WORDS, "$1")
		.replace(ENCODED_WORD, (whole, charset: string, kind: string, text: string) => {
			const bytes =
				kind.toLowerCase() === "b"
					? Buffer.from(text, "base64")
					: decodeQuotedPrintable(text.replaceAll("_", " "));
			return decodeExactly(bytes, charset) ?? whole;
		});
}

/** A header line that was written as raw bytes: UTF-8 in modern mail, something else in old mail. */
export function decodeRawHeader(header: string): string {
	return decodeEncodedWords(decodeText(Buffer.from(header, "latin1")).text);
}
