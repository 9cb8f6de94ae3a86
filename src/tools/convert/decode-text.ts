export interface DecodedText {
	readonly text: string;
	readonly charset: string;
}

const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
	["utf-8", [0xef, 0xbb, 0xbf]],
	["utf-16le", [0xff, 0xfe]],
	["utf-16be", [0xfe, 0xff]],
];
const DECLARATION =
	/<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']|<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const CONTENT_TYPE_CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;
const DECLARATION_WINDOW = 1024;

/**
 * Byte order mark, then what the sender said, then what the document says about itself, then UTF-8 if it is
 * valid, then windows-1252, in which every byte means something.
 */
export function decodeText(bytes: Uint8Array, contentType = ""): DecodedText {
	const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
	const head = Buffer.from(bytes.subarray(0, DECLARATION_WINDOW)).toString("latin1");
	const declared = DECLARATION.exec(head);
	const candidates = [
		marked?.[0],
		CONTENT_TYPE_CHARSET.exec(contentType)?.[1],
		declared?.[1] ?? declared?.[2],
		"utf-8",
	];
	for (const candidate of candidates) {
		const text = candidate && tryDecode(bytes, candidate);
		if (text !== undefined && candidate) return { text, charset: candidate.toLowerCase() };
	}
	return { text: new TextDecoder("windows-1252").decode(bytes), charset: "windows-1252" };
}

export function tryDecode(bytes: Uint8Array, charset: string): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
