import { describe, expect, it } from "vitest";
import { decodeText } from "../../charset/decode-text.ts";

/** Samples as old pages have them: no header, no declaration. Encoded by iconv; Node decodes these but does not encode them. */
const BARE: readonly (readonly [charset: string, hex: string, text: string])[] = [
	["shift_jis", "82b182ea82cd93fa967b8cea82cc83658358836782c582b78142", "これは日本語のテストです。"],
	["euc-jp", "a4b3a4eca4cfc6fccbdcb8eca4cea5c6a5b9a5c8a4c7a4b9a1a3", "これは日本語のテストです。"],
	["euc-kr", "c7d1b1b9beee20c5d8bdbac6aec0d4b4cfb4d9", "한국어 텍스트입니다"],
	[
		"gb18030",
		"d6d0b9fabac3b5c4b2bbcac7b5d8b7bdd4dad5e2b8f6cac0bde7c9cfa1a3",
		"中国好的不是地方在这个世界上。",
	],
	[
		"windows-1251",
		"cff0e8e2e5f22c20fdf2ee20f2e5eaf1f220ede020f0f3f1f1eaeeec20ffe7fbeae5",
		"Привет, это текст на русском языке",
	],
	[
		"koi8-r",
		"f0d2c9d7c5d42c20dcd4cf20d4c5cbd3d420cec120d2d5d3d3cbcfcd20d1dad9cbc5",
		"Привет, это текст на русском языке",
	],
	[
		"windows-1252",
		"4465722053fc64776573742077656874206bfc686c2097206e61efef7665",
		"Der Südwest weht kühl — naïïve",
	],
];

describe("decodeText", () => {
	it.each(BARE)("guesses %s", (charset, hex, text) => {
		expect(decodeText(Buffer.from(hex, "hex"), "text/html")).toEqual({ text, charset });
	});

	it.each([
		[
			"the mark over the header",
			Buffer.from("\ufeffé", "utf8"),
			"text/html; charset=windows-1252",
			"utf-8",
			"é",
		],
		[
			"the header over the page",
			Buffer.from('<meta charset="utf-8">\xe9', "latin1"),
			"text/html; charset=ISO-8859-1",
			"iso-8859-1",
			'<meta charset="utf-8">é',
		],
		[
			"an old declaration",
			Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">\x93', "latin1"),
			"text/html",
			"windows-1252",
			'<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">“',
		],
		[
			"XML's declaration",
			Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\xe9', "latin1"),
			"text/xml",
			"iso-8859-1",
			'<?xml version="1.0" encoding="ISO-8859-1"?>é',
		],
		["a quoted header", Buffer.from([0xe9]), 'text/html; charset="latin1"', "latin1", "é"],
		["UTF-8 when nothing is said", Buffer.from("naïve – 日本"), "text/html", "utf-8", "naïve – 日本"],
	])("believes %s", (_name, bytes, type, charset, text) => {
		expect(decodeText(bytes, type)).toEqual({ charset, text });
	});

	it("ignores a charset that does not exist", () => {
		expect(decodeText(Buffer.from("é"), "text/html; charset=klingon").text).toBe("é");
	});

	it("does not mistake a character that was cut in two for another charset", () => {
		const bytes = Buffer.from("naïve text — 😀");
		for (const cut of [1, 2, 3])
			expect(decodeText(bytes.subarray(0, bytes.length - cut), "").charset).toBe("utf-8");
	});
});
