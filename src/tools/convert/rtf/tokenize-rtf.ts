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

/** `source` holds one byte per character. Binary data after `\bin` is stepped over. */
export function* tokenizeRtf(source: string): Generator<RtfToken> {
	let position = 0;
	const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
		pattern.lastIndex = at;
		return pattern.exec(source);
	};
	while (position < source.length) {
		const character = source[position];
		if (character === "{" || character === "}") {
			yield { kind: character === "{" ? "open" : "close" };
			position += 1;
		} else if (character === "\r" || character === "\n") position += 1;
		else if (character !== "\\") {
			const text = match(PLAIN, position)?.[0] ?? "";
			yield { kind: "text", text };
			position += Math.max(1, text.length);
		} else {
			const { token, end } = readControl(source, position + 1, match);
			if (token) yield token;
			position = end;
		}
	}
}

function readControl(
	source: string,
	at: number,
	match: (pattern: RegExp, at: number) => RegExpExecArray | null,
): { token?: RtfToken; end: number } {
	const hex = match(HEX, at);
	if (hex) return { token: { kind: "byte", byte: Number.parseInt(hex[1] ?? "0", 16) }, end: at + 3 };
	const word = match(WORD, at);
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
