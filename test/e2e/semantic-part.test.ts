import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writePartContents } from "../../src/parts/part-contents.ts";
import { locatePartDirectory } from "../../src/parts/part-directory.ts";
import { readPartLocks } from "../../src/parts/read-part-locks.ts";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const MODEL = resolve(import.meta.dirname, "../peers/semantic/node_modules");
const FILES = {
	"src/limiter.js":
		"/** Keeps jobs in a line while too many run at once. */\nexport class Limiter {\n\tadd(job) {}\n}\n",
	"src/mask.js": "/** Scrambles bytes with a random key. */\nexport function mask(source, key) {}\n",
	"src/greeting.js": "/** Says hello. */\nexport function greet(name) {}\n",
};

let home: TestHome;
beforeEach(() => {
	home = createTestHome(FILES);
});
afterEach(() => home.remove());

const ask = (question: string) =>
	runCli(["run", "explorer", "--offline", question], { cwd: home.project, env: home.env });

/** As `deputize setup semantic` leaves it. */
function addPart(): void {
	const lock = readPartLocks()["semantic"];
	if (lock === undefined) throw new Error("dist/parts.json has no semantic part");
	const place = locatePartDirectory(home.agentDirectory, "semantic", lock);
	cpSync(MODEL, join(place, "node_modules"), { recursive: true });
	writePartContents(join(place, "node_modules"));
}

it("the model has a say where nothing is named, and the answer says so; a name is found without it", async () => {
	addPart();
	const described = await ask("What makes a password out of plain letters?");
	expect(described).toMatchObject({ code: 0 });
	expect(described.stdout.split("\n")[1]).toContain("`src/mask.js:");
	expect(described.stdout).toMatch(/^\*\*Order:\*\* a small model \(MiniLM\) compared \d+ passages/m);
	const named = await ask("Where is Limiter?");
	expect(named.stdout.split("\n")[1]).toContain("`src/limiter.js:2`");
	expect(named.stdout).not.toContain("**Order:**");
});
