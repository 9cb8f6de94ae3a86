import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createNavigator } from "../../../src/navigator/create-navigator.ts";

let root: string;
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "deputize-whole-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
	mkdirSync(join(root, path, ".."), { recursive: true });
	writeFileSync(join(root, path), text);
}

async function ask(tree: string, task: string, agent = "explorer"): Promise<string> {
	const cwd = join(root, tree);
	const judge = createJudge({ cwd, home: "/nonexistent", agentDirectory: "/nonexistent/agent" });
	const step = await createNavigator({ cwd, judge }).plan({ agent, task, tools: ["grep"], steps: [] });
	return step.kind === "finalize" ? (step.status === "SUCCESS" ? step.result : step.error) : "";
}

describe("a tree of more files than are indexed", () => {
	beforeAll(() => {
		for (let directory = 0; directory < 41; directory += 1) {
			mkdirSync(join(root, `large/a${directory}`), { recursive: true });
			for (let file = 0; file < 490; file += 1)
				writeFileSync(join(root, `large/a${directory}/${file}.json`), `{"x": ${file}}\n`);
		}
		write("large/src/crossing.js", "export function zebraCrossing() {\n\treturn 1;\n}\n");
		write("large/z/last.json", '{"stripedHorse": 1}\n');
	}, 60_000);

	it("has its code before its data", async () => {
		expect(await ask("large", "Where do zebras go over the street?")).toContain("`src/crossing.js:1`");
	}, 60_000);

	it("is searched for a name beyond that", async () => {
		const answer = await ask("large", "Where is stripedHorse?");
		expect(answer).toContain("`z/last.json:1`");
		expect(answer).not.toContain("in none of");
	}, 60_000);

	it("says of how many files a name is in none", async () => {
		expect(await ask("large", "Where are zebraCrossing and greenHorse?")).toContain(
			'in none of the first 20000 files of 20092 that were read: "greenHorse"',
		);
	}, 60_000);
});

describe("what is not read of a tree", () => {
	it("is named when it contains what was asked for", async () => {
		write("vast/src/app.js", "export function start() {}\n");
		write("vast/test/amalgamation.test.js", `${"// as it is\n".repeat(60_000)}startEngine();\n`);
		const row = "**Not read, and contains `startEngine`:** `test/amalgamation.test.js`";
		const answer = await ask("vast", "Where is startEngine defined, and start()?");
		expect(answer).toContain(row);
		expect(answer).not.toContain("in none of");
		expect(await ask("vast", "Test startEngine in src/app.js", "tester")).toContain(
			"**Tests:** `test/amalgamation.test.js`",
		);
	});

	it("is everything where an ignore file says so", async () => {
		write("ignored/.gitignore", "/*\n");
		write("ignored/app.js", "export function start() {}\n");
		const answer = await ask("ignored", "Where is start defined?");
		expect(answer).toContain("each of its 2 files is excluded by a .gitignore");
	});
});
