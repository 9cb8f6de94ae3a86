import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLedger } from "../../../src/batch/ledger/read-ledger.ts";

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "ledger-"));
	file = join(directory, "out.jsonl");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const record = (id: string, change: Record<string, unknown> = {}): string =>
	JSON.stringify({
		...{ id, key: `k${id}`, agent: "explorer", status: "done", costUsd: 0, durationMs: 1, usage: {} },
		...change,
	});

async function read(content: string) {
	writeFileSync(file, content);
	const seen: [string, number][] = [];
	const reading = await readLedger(file, (line) => seen.push([line.record.id, line.number]));
	return { ...reading, seen };
}

describe("a ledger", () => {
	it("that is missing or empty has no lines", async () => {
		const nothing = { wholeBytes: 0, lines: 0, lacksLineBreak: false };
		expect(await readLedger(join(directory, "none"), () => undefined)).toEqual(nothing);
		expect(await read("")).toMatchObject(nothing);
	});

	it("is read line by line, whether or not the last ends", async () => {
		const whole = `${record("a")}\n${record("b")}\n`;
		const expected = {
			lines: 2,
			seen: [
				["a", 1],
				["b", 2],
			],
		};
		expect(await read(whole)).toEqual({ ...expected, wholeBytes: whole.length, lacksLineBreak: false });
		const open = whole.trimEnd();
		expect(await read(open)).toEqual({ ...expected, wholeBytes: open.length, lacksLineBreak: true });
	});

	it("with a line that a crash cut off is read up to it", async () => {
		const whole = `${record("a")}\n`;
		expect(await read(`${whole}${record("b").slice(0, 20)}`)).toEqual({
			...{ lines: 1, seen: [["a", 1]], wholeBytes: whole.length, lacksLineBreak: false },
		});
	});

	it("may have empty lines, in the middle and at the beginning", async () => {
		expect((await read(`\n${record("a")}\n\n\n${record("b")}\n`)).seen).toEqual([
			["a", 1],
			["b", 2],
		]);
	});

	it.each([
		["a line of something else", () => `${record("a")}\nhello\n${record("b")}\n`, "line 2 is something else"],
		["nothing but one torn line", () => "hello", "its only line is something else"],
		...["id", "key", "agent", "status", "costUsd", "durationMs", "usage"].map(
			(field): [string, () => string, string] => [
				`a record without ${field}`,
				() => `${record("a", { [field]: null })}\n`,
				"line 1 is something else",
			],
		),
	])("is refused with %s", async (_name, content, reason) => {
		await expect(read(content())).rejects.toThrow(
			`${file} is not the output of a batch: ${reason}. Choose another file with -o.`,
		);
	});
});
