import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectFormat } from "../../packages/documents/index.ts";
import { createGlob, decodePercent, decodeText, toOneLine } from "../../packages/ground/index.ts";
import { cleanOutsideText } from "../../packages/ground/text/strip-control-sequences.ts";
import { createWorkBudget } from "../../packages/ground/waiting/create-work-budget.ts";
import { sanitizeOutput } from "../../packages/redaction/index.ts";
import { parseFrontmatter } from "../../src/agents/parse-frontmatter.ts";
import type { InputFormat } from "../../src/batch/input/batch-row.ts";
import { fillTemplate } from "../../src/batch/input/fill-template.ts";
import { readBatchRows } from "../../src/batch/input/read-batch-rows.ts";
import { parseJournalLine } from "../../src/journal/parse-journal-line.ts";
import { renderDiffs } from "../../src/tools/lsp/rendering/render-diff.ts";
import { detectContentKind } from "../../src/tools/web/pages/detect-content-kind.ts";
import { renderFeed } from "../../src/tools/web/pages/render-feed.ts";
import { runCli } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

const MIB = 1024 * 1024;
const fill = (text: string, length = MIB): string => text.repeat(Math.ceil(length / text.length));
const bytes = (text: string): Buffer => Buffer.from(fill(text));
const numbers = (step: number): string =>
	Array.from({ length: 60_000 }, (_, index) => (index * step) % 999_983).join("\n");
const header = (text: string): string => `---\n${text}\n---\n`;
const entry = (text: string): string => `<rss><channel><item><title>${text}</title></item></channel></rss>`;
const row = { place: "line 1", fields: {} };

async function readRows(format: InputFormat, text: string): Promise<number> {
	const stdin = (async function* () {
		yield Buffer.from(text);
	})();
	let rows = 0;
	for await (const _ of readBatchRows("-", { cwd: "/", env: {}, stdin, format, say: () => undefined }))
		rows += 1;
	return rows;
}

/** What a repository, a page or a model can make the parent's own thread compute, each with the worst input that we know. */
const ROWS: readonly (readonly [string, () => unknown])[] = [
	["redaction: names without values", () => sanitizeOutput(fill("Authorization:", 200_000))],
	["redaction: quotes that never end", () => sanitizeOutput(fill('password: "'))],
	["redaction: a value of dots", () => sanitizeOutput(`password=${fill("a.")}`)],
	[
		"diff: files with nothing in common",
		() =>
			renderDiffs([{ file: "/x", changes: [], oldText: numbers(7919), newText: numbers(104_729) }], String),
	],
	["glob: stars", () => createGlob(`${"*a".repeat(400)}b`)("a".repeat(4000))],
	["glob: directories", () => createGlob(`${"**/".repeat(300)}x`)("a/".repeat(2000))],
	["frontmatter: folded lines", () => parseFrontmatter(header(`a: >\n x${"\n".repeat(7000)} y`))],
	["frontmatter: a quote that never ends", () => parseFrontmatter(header(`a: "${"\\".repeat(7000)}`))],
	["frontmatter: a list of quotes", () => parseFrontmatter(header(`a: [${"'".repeat(7000)}]`))],
	["frontmatter: no end", () => parseFrontmatter(`---\n${fill("\n")}`)],
	["CSV: columns", () => readRows("csv", Array.from({ length: 200_000 }, (_, at) => `c${at}`).join(","))],
	["CSV: quotes", () => readRows("csv", fill('"')).catch(() => undefined)],
	["CSV: a value of many lines", () => readRows("csv", `a\n"${fill('""\n')}"`)],
	["JSON lines: nesting", () => expect(readRows("jsonl", fill('{"a":'))).rejects.toThrow()],
	["template: braces", () => fillTemplate(fill("{a"), row)],
	["journal: nesting", () => parseJournalLine(fill("["))],
	["feed: comments", () => renderFeed(entry(fill("<!--")))],
	["feed: nesting", () => renderFeed(entry(fill("<b>")))],
	["feed: entities", () => renderFeed(entry(fill("&amp;&")))],
	["feed: items", () => renderFeed(`<rss>${fill("<item>")}`)],
	["page: terminal sequences", () => cleanOutsideText(fill("\u001b]0;\u001bP\u001b[1;"))],
	["page: backspaces", () => cleanOutsideText(fill("a\b"))],
	["page: character sets", () => decodeText(bytes("<meta charset "), "text/html")],
	["page: kind", () => detectContentKind(bytes(" <!--"), "", `https://e.org/${"a.".repeat(2000)}`)],
	["document: names", () => detectFormat(bytes('a,"'), { fileName: fill("."), contentType: fill(";a=") })],
	["document: percent signs", () => decodePercent(fill("%e2"))],
	["approval: blanks and marks", () => toOneLine(fill(" \u0085\u202e"))],
];

describe("what computes on the parent's thread", () => {
	it.each(ROWS)("%s: ends", async (_name, work) => {
		const within = createWorkBudget(20_000);
		const begun = process.cpuUsage();
		await within<unknown>(work, () => expect.unreachable("still computing after 20 seconds"));
		const { user, system } = process.cpuUsage(begun);
		expect((user + system) / 1000).toBeLessThan(6000);
	});
});

describe("a model's answer that was made for the pattern of its schema", () => {
	let home: TestHome;
	let provider: ScriptedProvider;
	beforeEach(() => {
		home = createTestHome();
	});
	afterEach(async () => {
		await provider.close();
		home.remove();
	});

	function writeAgent(): void {
		const schema = {
			type: "object",
			properties: { title: { type: "string", pattern: "^([A-Za-z]+ ?)*$" } },
			required: ["title"],
		};
		home.write(
			join(home.agentDirectory, "agents", "titles.md"),
			`---\nname: titles\ndescription: Finds titles\noutput: ${JSON.stringify(schema)}\n---\nFind it.\n`,
		);
	}

	it.each(["codex", "loop"] as const)("does not keep Ctrl-C from ending it: %s", async (name) => {
		writeAgent();
		const { api, handOver, configure } = RUNTIME_ROWS[name];
		const answer = handOver({ status: "SUCCESS", data: { title: `${"a".repeat(42)}!` } });
		provider = await startScriptedProvider(Array(12).fill(answer), api);
		const { env = {}, model = "" } = configure(home, provider);
		let sentAt = 0;
		const { code } = await runCli(["run", "titles", "Find it", "--runtime", name, "--model", model], {
			cwd: home.project,
			env: env as Record<string, string>,
			onStart: (child) => {
				// The answer is being checked, or the next one: no moment is without a check for long.
				const timer = setInterval(() => {
					if (provider.requests().length < 2) return;
					clearInterval(timer);
					sentAt = performance.now();
					child.kill("SIGINT");
				}, 20);
			},
		});
		expect(code).toBe(130);
		expect(sentAt).toBeGreaterThan(0);
		expect(performance.now() - sentAt).toBeLessThan(10_000);
	});

	it.each(["codex", "loop"] as const)("ends the run in time: %s", async (name) => {
		writeAgent();
		const { api, handOver, configure } = RUNTIME_ROWS[name];
		const answer = handOver({ status: "SUCCESS", data: { title: `${"a".repeat(42)}!` } });
		provider = await startScriptedProvider(Array(12).fill(answer), api);
		const begun = performance.now();
		const result = await delegate(
			{ agent: "titles", task: "Find it" },
			{ ...configure(home, provider), timeoutMs: 25_000 },
		);
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toContain("not checked against the schema within 1000 ms");
		expect(performance.now() - begun).toBeLessThan(45_000);
	});
});
