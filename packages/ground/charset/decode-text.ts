import { guessCharset } from "./guess-charset.ts";

interface DecodedText {
	readonly text: string;
	readonly charset: string;
}

const DECLARATION_WINDOW_BYTES = 4096;
/** A declared charset is believed although this share of its characters is broken: pages contain stray bytes. */
const MAX_BROKEN_SHARE = 0.005;

/**
 * Bytes to text by the strongest evidence there is: a byte order mark, what the sender declared, what the document declares
 * about itself, being valid UTF-8, and at last a guess by what the bytes would spell. A declaration that the bytes
 * contradict loses to UTF-8 that is valid and to a better guess.
 */
export function decodeText(bytes: Uint8Array, contentType = ""): DecodedText {
	const declared = [
		readByteOrderMark(bytes),
		readHeaderCharset(contentType),
		readDeclaredCharset(bytes),
	].filter((charset) => charset !== undefined);
	const found =
		findFirst([...declared, "utf-8"], (charset) => decodeWhole(bytes, charset)) ??
		findFirst(declared, (charset) => decodeUnlessBroken(bytes, charset));
	if (found !== undefined) return found;
	const charset = guessCharset(bytes);
	return { text: decode(bytes, charset) ?? "", charset };
}

function findFirst(
	charsets: readonly string[],
	decodeAs: (charset: string) => string | undefined,
): DecodedText | undefined {
	for (const charset of charsets) {
		const text = decodeAs(charset);
		if (text !== undefined) return { text, charset };
	}
	return undefined;
}

/** The text, or undefined when the bytes are not valid in this charset or there is no such charset. */
export function decodeExactly(bytes: Uint8Array, charset: string): string | undefined {
	return decode(bytes, charset, { fatal: true });
}

/** A body cut at a byte limit may end inside a character, which says nothing about its charset: that one is left out. */
function decodeWhole(bytes: Uint8Array, charset: string): string | undefined {
	return decode(bytes, charset, { fatal: true, stream: true });
}

function decodeUnlessBroken(bytes: Uint8Array, charset: string): string | undefined {
	const text = decode(bytes, charset);
	return text !== undefined && isMostlyWhole(text) ? text : undefined;
}

function decode(
	bytes: Uint8Array,
	charset: string,
	{ fatal = false, stream = false } = {},
): string | undefined {
	try {
		return new TextDecoder(charset, { fatal }).decode(bytes, { stream });
	} catch {
		return undefined;
	}
}

function isMostlyWhole(text: string): boolean {
	return text.split("\ufffd").length - 1 <= 1 + text.length * MAX_BROKEN_SHARE;
}

function readByteOrderMark(bytes: Uint8Array): string | undefined {
	if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	return undefined;
}

function readHeaderCharset(contentType: string): string | undefined {
	return /charset\s{0,5}=\s{0,5}["']?([\w.:-]{2,40})/i.exec(contentType)?.[1]?.toLowerCase();
}

/** `<meta charset>`, its older http-equiv form, and the declaration of XML. */
function readDeclaredCharset(bytes: Uint8Array): string | undefined {
	const head = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION_WINDOW_BYTES));
	const declaration = /<\?xml[^>]{0,200}encoding\s{0,5}=\s{0,5}["']([\w.:-]{2,40})/i.exec(head);
	const meta = /<meta[^>]{0,300}charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{2,40})/i.exec(head);
	const charset = (declaration ?? meta)?.[1]?.toLowerCase();
	// A page that can be read as ASCII to find this is not UTF-16, whatever it says.
	return charset?.startsWith("utf-16") ? "utf-8" : charset;
}
