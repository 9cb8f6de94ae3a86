import { matchAt } from "@deputize/ground";

export type RtfToken =
	| { readonly kind: "open" }
	| { readonly kind: "close" }
	/** A control word; `parameter` is undefined when none was written. */
	| { readonly kind: "word"; readonly word: string; readonly parameter: number | undefined }
	/** A control symbol such as `\~` or `\*`. */
	| { readonly kind: "symbol"; readonly symbol: string }
	/** `\'hh`: one byte in the code page of the current font. */
	| { readonly kind: "byte"; readonly byte: number }
	| { readonly kind: "text"; readonly text: string };

const WORD = /([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?/y;
const HEX = /'([0-9a-fA-F]{2})/y;
const PLAIN = /[^\\{}\r\n]+/y;

/** `source` has one character per byte. Binary data after `\bin` is skipped. */
export function* tokenizeRtf(source: string): Generator<RtfToken> {
	for (let position = 0; position < source.length; ) {
		const { token, end } = readToken(source, position);
		if (token) yield token;
		position = end;
	}
}

function readToken(source: string, at: number): { token?: RtfToken; end: number } {
	switch (source[at]) {
		case "{":
			return { token: { kind: "open" }, end: at + 1 };
		case "}":
			return { token: { kind: "close" }, end: at + 1 };
		case "\r":
		case "\n":
			return { end: at + 1 };
		case "\\":
			return readControlWord(source, at + 1);
		default: {
			const text = matchAt(PLAIN, source, at)?.[0] ?? "";
			return { token: { kind: "text", text }, end: at + Math.max(1, text.length) };
		}
	}
}

function readControlWord(source: string, at: number): { token?: RtfToken; end: number } {
	const hex = matchAt(HEX, source, at);
	if (hex) return { token: { kind: "byte", byte: Number.parseInt(hex[1] ?? "0", 16) }, end: at + 3 };
	const word = matchAt(WORD, source, at);
	if (!word) {
		const symbol = source[at] ?? "";
		const isBreak = symbol === "\n" || symbol === "\r";
		return {
			token: isBreak ? { kind: "word", word: "par", parameter: undefined } : { kind: "symbol", symbol },
			end: at + 1,
		};
	}
	const parameter = word[2] === undefined ? undefined : Number(word[2]);
	const end = at + word[0].length;
	if (word[1] === "bin") return { end: end + Math.max(0, parameter ?? 0) };
	return { token: { kind: "word", word: word[1] ?? "", parameter }, end };
}
