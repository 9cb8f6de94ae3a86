import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needPeer, PEER_MODULES } from "../helpers/lsp-workspace.ts";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

/** The uses in main.ts go under another name, so that no search for words finds them. */
const FILES = {
	"tsconfig.json": '{ "compilerOptions": { "types": [], "noEmit": true }, "include": ["src"] }',
	"src/auth.ts": "export function registerAuth(): boolean {\n\treturn true;\n}\n",
	"src/main.ts":
		'import { registerAuth as enable } from "./auth";\n\nenable();\nexport const again = enable();\n',
	"src/note.ts": "// registerAuth is only mentioned here.\nexport const note = 1;\n",
};
const QUESTION = "Where is registerAuth defined and who uses it?";

let home: TestHome;
beforeEach(() => {
	home = createTestHome(FILES);
});
afterEach(() => home.remove());

const ask = (path: string) =>
	runCli(["run", "explorer", "--offline", QUESTION], { cwd: home.project, env: { ...home.env, PATH: path } });

describe("the offline model, asked about a symbol", () => {
	it("answers with its definition and all references when there is a language server", async () => {
		needPeer(".bin/typescript-language-server");
		const { code, stdout } = await ask(`${join(PEER_MODULES, ".bin")}:${home.env["PATH"]}`);
		expect(code).toBe(0);
		expect(stdout.split("\n")[1]).toContain("`src/auth.ts:1`: `export function registerAuth(): boolean {`");
		const section = stdout.slice(stdout.indexOf("**References to"));
		expect(section.split("\n").slice(0, 4)).toEqual([
			"**References to `registerAuth`** (language server: 5 in 2 files)",
			"- `src/auth.ts:1`: `export function registerAuth(): boolean {`",
			'- `src/main.ts:1`: `import { registerAuth as enable } from "./auth";`',
			"- `src/main.ts:3`: `enable();`",
		]);
	});

	it("answers with its definition and the lines that name it when there is none, and says so", async () => {
		const path = (home.env["PATH"] ?? "")
			.split(":")
			.filter((directory) => !directory.includes("node_modules"));
		const { code, stdout } = await ask(path.join(":"));
		expect(code).toBe(0);
		expect(stdout.split("\n")[1]).toContain("`src/auth.ts:1`");
		expect(stdout).toContain("`src/main.ts:1`");
		expect(stdout).not.toContain("**References to");
		expect(stdout).toContain("no language server was asked");
	});
});
