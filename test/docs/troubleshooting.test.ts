import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SUBAGENT_ERROR_CODES } from "../../src/contract/error-codes.ts";
import { collectMessages } from "./collect-messages.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
const headings = [...page.matchAll(/^### `(.+)`$/gm)].map((match) => match[1] ?? "");
const files = globSync("{src,packages}/**/*.ts", { cwd: root }).map((file) => join(root, file));

/** All pieces between the … occur, in this order. */
function matches(heading: string, text: string): boolean {
	let from = 0;
	return heading.split("…").every((piece) => {
		const at = text.indexOf(piece, from);
		from = at + piece.length;
		return at !== -1;
	});
}

describe("the troubleshooting page", () => {
	it("has only messages that the source can print", () => {
		const sources = files.map((file) => readFileSync(file, "utf8").replace(/\$\{[^{}]*\}/g, "…"));
		const isPrinted = (heading: string): boolean => sources.some((source) => matches(heading, source));
		expect(headings.length).toBeGreaterThan(40);
		expect(headings.filter((heading) => !isPrinted(heading))).toEqual([]);
	});

	it("has every message with which a delegation says no or a verdict about a child", () => {
		const messages = collectMessages(files);
		expect(messages.length).toBeGreaterThan(35);
		const missing = messages.filter(({ text }) => !headings.some((heading) => matches(heading, text)));
		expect(missing).toEqual([]);
	});

	it("names every error code", () => {
		const codes = Object.keys(SUBAGENT_ERROR_CODES);
		expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
	});
});
