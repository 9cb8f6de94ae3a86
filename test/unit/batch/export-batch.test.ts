import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { exportBatch } from "../../../src/batch/export-batch.ts";
import { parseJsonlRows } from "../../../src/batch/input/parse-jsonl-rows.ts";
import { runBatchControl } from "../../../src/hosts/cli/batch-control-command.ts";
import { createBatchDirectory } from "../../helpers/batch-lanes.ts";

let directory: ReturnType<typeof createBatchDirectory>;
let output: string;
beforeEach(() => {
	directory = createBatchDirectory();
	output = join(directory.path, "out.jsonl");
});
afterEach(() => directory.remove());

const exported = async (...records: readonly object[]): Promise<string> => {
	const rest = { agent: "explorer", usage: {}, costUsd: 0.5, durationMs: 12 };
	writeFileSync(output, records.map((record) => `${JSON.stringify({ ...rest, ...record })}\n`).join(""));
	let text = "";
	await exportBatch(output, (part) => {
		text += part;
	});
	return text;
};

test("an output becomes a table with the fields of its input, one row for each task", async () => {
	const text = await exported(
		{
			id: "1",
			key: "a",
			status: "failed",
			error: { code: "X", message: "no", cause: { kind: "network" } },
			input: { id: 1, q: 'say "hi"' },
		},
		{
			id: "2",
			key: "b",
			status: "done",
			data: { n: 1 },
			input: { status: "open", q: "two\nlines" },
			finishedAt: "2026-01-01",
		},
		{
			id: "1",
			key: "a",
			status: "done",
			answer: "=HYPERLINK(1)",
			input: { id: 1, q: 'say "hi"' },
			model: "a/b",
		},
	);
	expect(text.split("\r\n")).toEqual([
		"q,input.status,id,agent,status,answer,error,message,model,costUsd,durationMs,finishedAt",
		'"two\nlines",open,2,explorer,done,"{""n"":1}",,,,0.5,12,2026-01-01',
		'"say ""hi""",,1,explorer,done,\'=HYPERLINK(1),,,a/b,0.5,12,',
		"",
	]);
});

test("what is no output is not exported", async () => {
	await expect(exportBatch(join(directory.path, "gone.jsonl"), () => undefined)).rejects.toThrow(
		/no output .*gone/,
	);
});

test("a sign in full width begins no formula, and what is nested too deeply to be written again is no output", async () => {
	const record = { id: "1", key: "a", status: "done", answer: "＝1+1" };
	expect(await exported(record)).toContain(",'＝1+1,");
	const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
	writeFileSync(
		output,
		`${JSON.stringify({ ...record, agent: "explorer", usage: {}, costUsd: 0, durationMs: 1 }).slice(0, -1)},"input":{"a":${deep}}}\n`,
	);
	await expect(exportBatch(output, () => undefined)).rejects.toThrow(/is something else/);
});

test("an input that is nested too deeply is refused in a sentence", async () => {
	async function* lines() {
		yield { text: `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, number: 1 };
	}
	await expect(parseJsonlRows(lines(), "in.jsonl").next()).rejects.toThrow(
		"In line 1 of in.jsonl: the object is nested too deeply.",
	);
});

test("a carriage return covers nothing on a terminal, and is exact elsewhere", async () => {
	await exported({ id: "1", key: "a", status: "done", answer: "hidden\rseen" });
	const shown = async (isTTY: boolean): Promise<string> => {
		const stdout = vi.spyOn(process, "stdout", "get");
		const parts: string[] = [];
		const write = (part: string): number => parts.push(part);
		stdout.mockReturnValue({ isTTY, write } as unknown as typeof process.stdout);
		try {
			await runBatchControl({ kind: "export", output } as Parameters<typeof runBatchControl>[0]);
		} finally {
			stdout.mockRestore();
		}
		return parts.join("");
	};
	expect(await shown(true)).toContain("hidden\nseen");
	expect(await shown(true)).not.toContain("\r");
	expect(await shown(false)).toContain("hidden\rseen");
});
