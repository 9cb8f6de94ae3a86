import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJudge } from "../../src/judge/create-judge.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import { callLsp, createTestTool, hasSystemProgram, needPeer } from "../helpers/lsp-workspace.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// Review of 0652d9e, "Setup, language servers, converters, Python", 4: a project points a server at a file that is closed
// to the tools, and the server tells what is in it.

const probe = await probeSandbox({ env: process.env });
const hasClangd = hasSystemProgram("clangd", "clangd");
let home: TestHome;
let bin: string;
let tool: LspTool | undefined;

beforeEach(() => {
	// Not in the temporary directory, which no box shows anyway.
	const parent = join(import.meta.dirname, "../../coverage");
	mkdirSync(parent, { recursive: true });
	home = createTestHome({ ".git/HEAD": "" }, parent);
	bin = join(home.home, "tools/bin");
	home.write(join(bin, ".keep"), "");
});
afterEach(async () => {
	await tool?.close();
	tool = undefined;
	home.remove();
});

/** Programs of the test peers, where a person would have installed them. */
function install(...programs: readonly string[]): void {
	for (const program of programs) symlinkSync(needPeer(`.bin/${program}`), join(bin, program));
}

async function ask(
	input: Readonly<Record<string, unknown>>,
	readable: readonly string[] = [],
): Promise<string> {
	const cwd = realpathSync(home.project);
	const place = { cwd, home: realpathSync(home.home), agentDirectory: home.agentDirectory, readable };
	tool ??= createTestTool({
		env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home.home },
		judge: createJudge(place),
		projectTrusted: false,
		config: { sandbox: "required" },
	});
	return (await callLsp(tool, cwd, input)).text;
}

const SECRET = "hunter2secretvalue";
const closed = (name: string, text: string): string =>
	realpathSync(home.write(join(home.home, "other/.secrets", name), text));

/** A server: what it is asked about a closed file, and what it still has to know. */
const SERVERS: Readonly<
	Record<
		string,
		{ readonly isHere?: boolean; run(): Promise<{ told: string; known: string; expected: RegExp }> }
	>
> = {
	clangd: {
		isHere: hasClangd,
		async run() {
			home.write(
				"a.c",
				`#include "${closed(".env", `${SECRET}\n`)}"\n#include <stdio.h>\nint main(void) { return puts("x"); }\n`,
			);
			const known = await ask({ action: "hover", file: "a.c", line: 3, column: 25 });
			return { told: await ask({ action: "diagnostics", file: "a.c" }), known, expected: /puts/ };
		},
	},
	"typescript-language-server": {
		async run() {
			install("typescript-language-server");
			symlinkSync(join(needPeer("typescript-5"), "bin/tsc"), join(bin, "tsc"));
			return askTypescript();
		},
	},
	"tsc --lsp": {
		async run() {
			symlinkSync(join(needPeer("typescript-7"), "bin/tsc"), join(bin, "tsc"));
			return askTypescript();
		},
	},
	pyright: {
		async run() {
			install("pyright-langserver");
			closed("keys.py", `from typing import Final\nkey: Final = "${SECRET}"\n`);
			home.write("pyproject.toml", `[tool.pyright]\nextraPaths = ["${join(home.home, "other/.secrets")}"]\n`);
			home.write("a.py", "import keys\nimport json\nx = keys.key\ny = json.dumps(1)\n");
			return {
				told: await ask({ action: "hover", file: "a.py", line: 3, column: 10 }),
				known: await ask({ action: "hover", file: "a.py", line: 4, column: 10 }),
				expected: /dumps/,
			};
		},
	},
	"bash-language-server": {
		async run() {
			install("bash-language-server");
			const file = closed("functions.sh", `# ${SECRET}\nhidden_one() { :; }\n`);
			home.write("own.sh", "# Mine\nown_one() { :; }\n");
			home.write("a.sh", `#!/bin/bash\nsource ${file}\nsource ./own.sh\nhidden_one\nown_one\n`);
			return {
				told: await ask({ action: "hover", file: "a.sh", line: 4, column: 3 }),
				known: await ask({ action: "hover", file: "a.sh", line: 5, column: 3 }),
				expected: /Mine/,
			};
		},
	},
};

async function askTypescript() {
	const file = closed("keys.ts", `export const key = "${SECRET}" as const;\n`).replace(/\.ts$/, "");
	home.write("tsconfig.json", '{"compilerOptions":{"types":[]}}');
	home.write("own.ts", 'export const mine = "own" as const;\n');
	home.write(
		"a.ts",
		`import { key } from "${file}";\nimport { mine } from "./own";\nconst x = key;\nconst y = mine;\n`,
	);
	return {
		told: await ask({ action: "hover", file: "a.ts", line: 3, column: 7 }),
		known: await ask({ action: "hover", file: "a.ts", line: 4, column: 7 }),
		expected: /"own"/,
	};
}

describe.runIf(probe.works)("a file that is closed to the tools", () => {
	it.each(Object.entries(SERVERS))(
		"is not told by %s, which still works",
		async (_name, { isHere = true, run }) => {
			if (!isHere) return;
			const { told, known, expected } = await run();
			expect(known).toMatch(expected);
			expect(told).not.toContain(SECRET);
		},
	);

	it.runIf(hasClangd)("is told when the user opened its directory", async () => {
		const file = closed("lib.h", `int ${SECRET}(void);\n`);
		home.write("a.c", `#include "${file}"\nint main(void) { return ${SECRET}(); }\n`);
		expect(await ask({ action: "definition", file: "a.c", line: 2, column: 27 }, [dirname(file)])).toContain(
			"lib.h",
		);
	});

	it("is not told through a link of the project either", async () => {
		install("bash-language-server");
		const file = closed("functions.sh", `# ${SECRET}\nhidden_one() { :; }\n`);
		symlinkSync(file, join(home.project, "linked.sh"));
		home.write("a.sh", "#!/bin/bash\nsource ./linked.sh\nhidden_one\n");
		expect(await ask({ action: "hover", file: "a.sh", line: 3, column: 3 })).not.toContain(SECRET);
	});
});

describe.runIf(probe.works && hasClangd)("a box shows", () => {
	it("a workspace that is reached through a link, and a home that is one", async () => {
		const way = join(tmpdir(), `deputize-way-${process.pid}`);
		symlinkSync(dirname(home.home), way);
		try {
			home.write("a.c", "int area(void) { return 1; }\nint main(void) { return area(); }\n");
			tool = createTestTool({
				env: { PATH: "/usr/bin:/bin", HOME: join(way, "home") },
				judge: createJudge({
					cwd: join(way, "project"),
					home: join(way, "home"),
					agentDirectory: join(way, "home/.pi/agent"),
				}),
				config: { sandbox: "required" },
			});
			const answer = await callLsp(tool, join(way, "project"), {
				action: "definition",
				file: "a.c",
				line: 2,
				column: 25,
			});
			expect(answer.text).toContain("a.c");
			expect(answer.isError).toBe(false);
		} finally {
			rmSync(way);
		}
	});
});
