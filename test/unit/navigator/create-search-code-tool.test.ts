import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createSearchCodeTool } from "../../../src/navigator/create-search-code-tool.ts";

describe("search_code", () => {
	let root = "";
	const cwd = () => join(root, "tree");
	const write = (path: string, text: string) => writeFileSync(join(cwd(), path), text);
	const open = (unreadable: readonly string[] = []) =>
		createSearchCodeTool({
			cwd: cwd(),
			judge: createJudge({
				cwd: cwd(),
				home: join(root, "home"),
				agentDirectory: join(root, "agent"),
				unreadable,
			}),
			agentDirectory: join(root, "agent"),
		});
	const search = async (query: unknown, unreadable?: readonly string[]) =>
		(await open(unreadable).execute({ query }, { cwd: cwd(), signal: new AbortController().signal })).text;

	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "search-code-"));
		mkdirSync(join(root, "tree/src"), { recursive: true });
		write(
			"src/limiter.ts",
			"/** Keeps jobs waiting while too many run. */\nexport class Limiter {\n\tadd(job) {}\n}\n",
		);
		write("src/bread.ts", "export function bakeBread(flour) {\n\treturn flour;\n}\n");
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	it("never shows the repository's own store", async () => {
		mkdirSync(join(cwd(), ".git/logs"), { recursive: true });
		write(".git/logs/HEAD", "Limiter keeps jobs waiting\n");
		expect(await search("Where is Limiter?")).not.toContain(".git");
	});

	it("costs under 60 tokens of four characters", () => {
		const { name, description, parameters } = open();
		expect(JSON.stringify({ name, description, parameters }).length / 4).toBeLessThan(60);
	});

	it("names the place of a symbol first, as grep would print it", async () => {
		expect((await search("Where is bakeBread defined?")).split("\n")[0]).toBe(
			"src/bread.ts:1: export function bakeBread(flour) {",
		);
	});

	it("finds by meaning what shares no word, and says so", async () => {
		expect(await search("throttle concurrency")).toMatch(/^src\/limiter\.ts:\d+: .* \[by meaning\]/m);
	});

	it("shows nothing that the judge closes, and follows no link out of the tree", async () => {
		writeFileSync(join(root, "outside.ts"), "export const secretRecipe = 1;\n");
		symlinkSync(join(root, "outside.ts"), join(cwd(), "src/link.ts"));
		write("src/closed.ts", "export const secretRecipe = 2;\n");
		expect(await search("secretRecipe", [join(cwd(), "src/closed.ts")])).not.toContain("secretRecipe =");
		expect(await search("secretRecipe")).toContain("src/closed.ts:1");
	});

	it("sees a file that changed between two calls", async () => {
		expect(await search("kneadDough")).not.toContain("kneadDough");
		write("src/bread.ts", "export function kneadDough() {}\n");
		expect(await search("kneadDough")).toContain("src/bread.ts:1: export function kneadDough() {}");
	});

	it("refuses a query without anything to search for", async () => {
		await expect(search("where is it?")).rejects.toThrow("nothing to search for");
	});
});
