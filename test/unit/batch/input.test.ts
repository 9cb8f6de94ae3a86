import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BatchRow } from "../../../src/batch/input/batch-row.ts";
import { fillTemplate } from "../../../src/batch/input/fill-template.ts";
import { readBatchRows } from "../../../src/batch/input/read-batch-rows.ts";

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), "deputize-input-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function* stdin(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text.slice(0, 3));
	yield Buffer.from(text.slice(3));
}

const read = (source: string, piped = "", format?: "csv" | "jsonl" | "lines") =>
	collect(source, { cwd, env: process.env, stdin: stdin(piped), format, say: () => undefined });

async function collect(...args: Parameters<typeof readBatchRows>): Promise<readonly BatchRow[]> {
	const rows: BatchRow[] = [];
	for await (const row of readBatchRows(...args)) rows.push(row);
	return rows;
}

describe("rows of a batch", () => {
	test("JSON lines keep their fields and ids; a blank line and a byte order mark are nothing", async () => {
		writeFileSync(join(cwd, "in.jsonl"), '\ufeff{"id":7,"q":"a"}\n\n{"q":{"deep":[1]}}\n');
		expect(await read("in.jsonl")).toEqual([
			{ place: "line 1 of in.jsonl", id: "7", fields: { id: 7, q: "a" } },
			{ place: "line 3 of in.jsonl", fields: { q: { deep: [1] } } },
		]);
	});

	test("somebody at a terminal is told that rows are waited for; a pipe is not", async () => {
		const said: string[] = [];
		const options = { cwd, env: {}, say: (line: string) => said.push(line) };
		await collect("-", { ...options, stdin: stdin("a\n") });
		expect(said).toEqual([]);
		const terminal = Object.assign(stdin("a\nb\n"), { isTTY: true });
		expect(await collect("-", { ...options, stdin: terminal })).toHaveLength(2);
		expect(said).toEqual(["reading rows from this terminal; end them with Ctrl-D."]);
	});

	test.each([
		['{"q":1}\nnot json\n', /line 2 of in.jsonl: expected a JSON object, not "not json"/],
		["[1]\n", /line 1 of in.jsonl/],
		['{"id":{}}\n', /id must be a string or a number/],
	])("a wrong line is named: %j", async (text, message) => {
		writeFileSync(join(cwd, "in.jsonl"), text);
		await expect(read("in.jsonl")).rejects.toThrow(message);
	});

	test("CSV: quotes, line breaks in values, a column id, missing values at the end", async () => {
		writeFileSync(join(cwd, "in.csv"), 'id,question,note\na,"one, two\nthree ""q""",x\nb,short\n');
		expect((await read("in.csv")).map(({ id, fields }) => ({ id, fields }))).toEqual([
			{ id: "a", fields: { id: "a", question: 'one, two\nthree "q"', note: "x" } },
			{ id: "b", fields: { id: "b", question: "short", note: "" } },
		]);
	});

	test("CSV: a quote inside of a value without quotes means nothing, rows without values are none", async () => {
		writeFileSync(join(cwd, "in.csv"), 'q;n\r\n5" pipe;1\r\n\r\n;\r\n"a;b";\r\n');
		expect((await read("in.csv")).map(({ fields }) => fields)).toEqual([
			{ q: '5" pipe', n: "1" },
			{ q: "a;b", n: "" },
		]);
	});

	test.each([
		['id,q\n1,"unclosed\n2,x\n', /in\.csv: The quote that begins a value in line 2 is not closed/],
		['id,q\n1,"unclosed\n2,"x"\n', /value that begins in line 2 comes "x"/],
		['id,q\n1,"a"b\n', /value that begins in line 2 comes "b"/],
	])(
		"a quote that is missing is refused with its line, and makes no row of two: %j",
		async (text, message) => {
			writeFileSync(join(cwd, "in.csv"), text);
			await expect(read("in.csv")).rejects.toThrow(message);
		},
	);

	test("UTF-16 with its mark is read right, wherever it is cut", async () => {
		const text = "\ufeffid,q\n1,caf\u00e9 \u{1f600}\n";
		const little = Buffer.from(text, "utf16le");
		const rows = [{ place: "row 1 of stdin", id: "1", fields: { id: "1", q: "caf\u00e9 \u{1f600}" } }];
		for (const bytes of [little, Buffer.from(little).swap16()])
			for (let at = 0; at < bytes.length; at += 1) {
				const cut = (async function* () {
					yield bytes.subarray(0, at);
					yield bytes.subarray(at);
				})();
				const options = { cwd, env: {}, say: () => undefined, format: "csv" as const };
				expect(await collect("-", { ...options, stdin: cut })).toEqual(rows);
			}
	});

	test.each([
		[
			"Latin-1",
			Buffer.from("id,q\n1,caf\xe9 au lait\n", "latin1"),
			/line 2 of in\.csv: the byte 0xE9 after "1,caf".*iconv/,
		],
		[
			"UTF-16 without its mark",
			Buffer.from("id,q\n1,x\n", "utf16le"),
			/line 1 of in\.csv: a NUL byte.*UTF-16/,
		],
	])("%s is refused with its line", async (_name, bytes, message) => {
		writeFileSync(join(cwd, "in.csv"), bytes);
		await expect(read("in.csv")).rejects.toThrow(message);
	});

	test("a line that is too long is refused with its number", async () => {
		writeFileSync(join(cwd, "in.txt"), `short\n${"x".repeat(17 * 1024 * 1024)}\n`);
		await expect(read("in.txt")).rejects.toThrow(
			/line 2 of in\.txt: 17825792 bytes; a line has at most 16777216/,
		);
	});

	test.each([
		["a,a\n1,2\n", /the column "a" occurs twice/],
		["a,b\n1,2,3\n", /row 1 of in.csv: 3 values for 2 columns/],
	])("a wrong table is refused: %j", async (text, message) => {
		writeFileSync(join(cwd, "in.csv"), text);
		await expect(read("in.csv")).rejects.toThrow(message);
	});

	test("stdin is JSON lines or plain lines by its first character", async () => {
		expect((await read("-", '{"a":1}\n')).map(({ fields }) => fields)).toEqual([{ a: 1 }]);
		expect(
			(await read("-", "src/a.ts\r\nsrc/b.ts\nsrc/a.ts\n")).map(({ id, fields }) => [id, fields["line"]]),
		).toEqual([
			["src/a.ts", "src/a.ts"],
			["src/b.ts", "src/b.ts"],
			[undefined, "src/a.ts"],
		]);
		expect((await read("-", "a,b\n1,2\n", "csv")).map(({ fields }) => fields)).toEqual([{ a: "1", b: "2" }]);
	});

	test("a glob lists files in order, without ignored ones, and hashes their content", async () => {
		mkdirSync(join(cwd, "src", "deep"), { recursive: true });
		mkdirSync(join(cwd, "node_modules"));
		mkdirSync(join(cwd, ".git"));
		writeFileSync(join(cwd, ".gitignore"), "node_modules\n");
		for (const file of ["src/b.ts", "src/deep/a.ts", "src/c.js", "node_modules/x.ts"])
			writeFileSync(join(cwd, file), file);
		const first = await read("glob:**/*.ts");
		expect(first.map(({ id }) => id)).toEqual(["src/b.ts", "src/deep/a.ts"]);
		expect(first[1]?.fields).toEqual({
			path: "src/deep/a.ts",
			name: "a.ts",
			directory: "src/deep",
			extension: ".ts",
		});
		writeFileSync(join(cwd, "src/b.ts"), "changed");
		const second = await read("glob:**/*.ts");
		expect(second[0]?.fingerprint).not.toBe(first[0]?.fingerprint);
		expect(second[1]?.fingerprint).toBe(first[1]?.fingerprint);
		await expect(read("glob:*.py")).rejects.toThrow(/No file matches "\*\.py"/);
	});

	test("an unknown format and a missing file are named", async () => {
		writeFileSync(join(cwd, "in.xml"), "");
		await expect(read("in.xml")).rejects.toThrow(/--format jsonl\|csv\|lines/);
		await expect(read("gone.jsonl")).rejects.toThrow(/gone\.jsonl" cannot be read \(ENOENT\)/);
	});
});

describe("templates", () => {
	const row = {
		place: "line 1 of in.jsonl",
		fields: { path: "a.ts", count: 3, empty: null, list: [1, "b"] },
	};
	test.each([
		["Review {path}", "Review a.ts"],
		["{count} {list} [{empty}]", '3 [1,"b"] []'],
		["{{path}} is literal, as is { path } and {1}", "{path} is literal, as is { path } and {1}"],
		["$& $1 {path}", "$& $1 a.ts"],
		['{"a":{"b":{}}} of {path}', '{"a":{"b":{}}} of a.ts'],
	])("%s", (template, task) => expect(fillTemplate(template, row)).toBe(task));

	test("an unknown field names the row and its fields; inherited names are no fields", () => {
		expect(() => fillTemplate("{nope}", row)).toThrow(
			/uses \{nope\}, but line 1 of in\.jsonl has no field "nope"\. It has \{path\}, \{count\}/,
		);
		expect(() => fillTemplate("{constructor}", row)).toThrow(/no field "constructor"/);
	});

	test("without a template the row brings its task; one that does not says how to write one", () => {
		expect(fillTemplate(undefined, { ...row, fields: { task: "Do {this}" } })).toBe("Do {this}");
		expect(() => fillTemplate(undefined, row)).toThrow(
			'line 1 of in.jsonl has no field "task". Say what to do with each row: --task "…", with {path}, {count}',
		);
	});
});
