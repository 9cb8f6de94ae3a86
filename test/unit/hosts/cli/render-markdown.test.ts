import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../../../src/hosts/cli/render-markdown.ts";
import { chooseStyle } from "../../../../src/hosts/cli/terminal-style.ts";

const render = (text: string) =>
	renderMarkdown(text, {
		findAddress: (place) => (place.startsWith("src/") ? `file:///${place}` : undefined),
	});
const ESCAPE = "\x1b";
const LINK = new RegExp(`${ESCAPE}\\]8;;([^${ESCAPE}]+)${ESCAPE}\\\\`, "g");
/** Escape sequences by name, to be read. */
const read = (text: string) =>
	render(text)
		.replace(LINK, "<$1>")
		.replaceAll("\x1b]8;;\x1b\\", "</>")
		.replaceAll("\x1b[1m", "{")
		.replaceAll("\x1b[2m", "(")
		.replaceAll("\x1b[22m", "}")
		.replaceAll("\x1b[36m", "‹")
		.replaceAll("\x1b[39m", "›");

describe("an answer on a terminal", () => {
	it.each([
		["## Where ##", "{Where}"],
		["**Most likely:** `src/a.ts:3`", "{Most likely:} <file:///src/a.ts:3>‹src/a.ts:3›</>"],
		["- `npm test` and *more*", "• ‹npm test› and *more*"],
		["  * nested", "  • nested"],
		["`**no**` **yes**", "‹**no**› {yes}"],
		["see [the page](https://example.com/x)", "see <https://example.com/x>the page</>"],
		["[no](javascript:alert(1))", "[no](javascript:alert(1))"],
		["2 * 3 * 4 and a ** b", "2 * 3 * 4 and a ** b"],
		["an open ` backtick", "an open ` backtick"],
	])("%s", (markdown, shown) => {
		expect(read(markdown)).toBe(shown);
	});

	it("leaves code as it is", () => {
		expect(read("```ts\n# **x** | y\n```\nafter")).toBe("(```ts}\n  # **x** | y\n(```}\nafter");
	});

	it("sets tables in columns, wide characters included", () => {
		expect(read("| Name | Where |\n|---|:--|\n| 用户 | `src/a.ts` |\n| b | x \\| y |\nend")).toBe(
			[
				"{Name  Where}",
				"(────  ────────}",
				"用户  <file:///src/a.ts>‹src/a.ts›</>",
				"b     x | y",
				"end",
			].join("\n"),
		);
	});

	it("takes any text without losing a word of it", () => {
		const text = "# a\n|x|\n|-|\n**b** `c`\n```\nd";
		for (let end = 0; end <= text.length; end += 1) {
			const words = text.slice(0, end).match(/[a-z]/g) ?? [];
			for (const word of words) expect(render(text.slice(0, end))).toContain(word);
		}
	});
});

describe("how a stream is written to", () => {
	const terminal = { isTTY: true };
	it.each([
		[terminal, { TERM: "xterm" }, { isRich: true, isLive: true }],
		[terminal, { TERM: "dumb" }, { isRich: false, isLive: false }],
		[terminal, { NO_COLOR: "1" }, { isRich: false, isLive: true }],
		[terminal, { FORCE_COLOR: "0" }, { isRich: false, isLive: true }],
		[{}, {}, { isRich: false, isLive: false }],
		[{}, { FORCE_COLOR: "1" }, { isRich: true, isLive: false }],
	])("%j %j", (stream, env, style) => {
		expect(chooseStyle(stream, env)).toEqual(style);
	});
});
