import { describe, expect, it } from "vitest";
import { stripControlSequences } from "../../text/strip-control-sequences.ts";

describe("stripControlSequences", () => {
	it.each([
		["colours", "\u001b[1;31mred\u001b[0m text", "red text"],
		["cursor movement", "a\u001b[2K\u001b[1Gb", "ab"],
		["8-bit sequences", "a\u009b31mb", "ab"],
		["links", "\u001b]8;;https://x.example\u0007label\u001b]8;;\u0007", "label"],
		["window titles ended by ST", "\u001b]0;title\u001b\\text", "text"],
		["an unfinished title", "\u001b]0;title", "0;title"],
		["device strings", "a\u001bPq#0\u001b\\b", "ab"],
		["character sets", "\u001b(Btext", "text"],
		["overstrike", "N\bNA\bA", "NA"],
		["null and bell", "a\u0000b\u0007c", "abc"],
		["zero width", "to\u200bk\ufeffen", "token"],
		["joiners between letters", "to\u200dken", "token"],
		["joiners in a row", "a\u200c\u200db\u200d\ufe0fc", "abc"],
		["direction marks", "\u202etxt\u202c \u2066a\u2069", "txt a"],
		["tag letters", "a\u{e0041}b", "ab"],
		["a joiner behind a control character", "a\u0000\u200db", "ab"],
		["a tag letter split by a control character", "a\udb40\u0000\udc41b", "ab"],
	])("removes %s", (_, text, expected) => {
		expect(stripControlSequences(text)).toBe(expected);
	});

	it.each(["tab\tand\r\nlines", "👨‍👩‍👧 and ⚠️", "क्‍ष", "1️⃣", "naïve “text”"])("keeps %j", (text) => {
		expect(stripControlSequences(text)).toBe(text);
	});
});
