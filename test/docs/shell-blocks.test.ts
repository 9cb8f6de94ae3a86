import { chmodSync, globSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ModelStep, startModelServer } from "../helpers/process-model-server.ts";
import { CLI, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";
import { isShown, readShellBlocks } from "./shell-blocks.ts";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md", { cwd: root })];
const blocks = pages.flatMap((page) => readShellBlocks(page, readFileSync(join(root, page), "utf8")));
const runnable = Map.groupBy(
	blocks.filter(({ mark }) => mark === "run"),
	({ page }) => page,
);

/** What a reader has before a page begins: a repository with something to commit. */
const PREPARE = `git init --quiet
mkdir src && echo 'export const start = (server) => server.listen(8080);' > src/app.js
for n in $(seq 12); do echo "export const load$n = () => legacyFetch('/$n');" > src/load$n.js; done
git add src`;

/** Does what the one recipe asks for that the offline navigator cannot: change a file. */
function migrate(body: string): Promise<ModelStep> {
	const [, path = ""] = /fetchJson in (src\/\w+\.js)/.exec(body) ?? [];
	const edits = [{ oldText: "legacyFetch(", newText: "fetchJson(" }];
	return Promise.resolve(
		body.includes('"role":"tool"')
			? { call: "subagent_finalize", args: { status: "SUCCESS", result: path } }
			: { call: "edit", args: { path, edits } },
	);
}

let home: TestHome;
let model: ModelServer;
beforeEach(async () => {
	home = createTestHome();
	model = await startModelServer(migrate);
	const work = { baseUrl: `http://127.0.0.1:${model.port}/v1`, model: "scripted" };
	// The quickest child: what is shown is the same for all of them.
	const subagents = {
		...{ runtime: "loop", model: "offline" },
		...{ writers: ["fixer"], agents: { fixer: { model: "work/scripted" } } },
	};
	home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ models: { work }, subagents }));
});
afterEach(async () => {
	await model.close();
	home.remove();
});

describe("shell blocks of the documentation", () => {
	it("say whether they are run here and, if not, why", () => {
		const unmarked = blocks.filter(({ mark }) => mark !== "run" && !/^not-run: \S+ \S+/.test(mark));
		expect(unmarked.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
		expect([...runnable.keys()].sort()).toEqual(["docs/recipes.md", "docs/tutorial.md"]);
	});

	it.each([...runnable.keys()])(
		"of %s run one after the other and print what is shown",
		async (page) => {
			const bin = join(home.home, "bin");
			chmodSync(
				home.write(join(bin, "deputize"), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`),
				0o755,
			);
			const steps = runnable.get(page) ?? [];
			const script = [PREPARE, ...steps.map(({ code }) => code)].join("\necho ===\n");
			const { code, stdout, stderr } = await runProgram("bash", ["-e", "-o", "pipefail", "-c", script], {
				cwd: home.project,
				env: {
					...home.env,
					PATH: [bin, dirname(process.execPath), home.env["PATH"]].join(delimiter),
					GIT_CONFIG_GLOBAL: "/dev/null",
				},
			});
			expect(code, stderr).toBe(0);
			const outputs = stdout.split(/^===\n/m).slice(1);
			const missing = steps.flatMap(({ shown, line }, index) =>
				shown
					.filter((wanted) => !isShown(wanted, outputs[index] ?? ""))
					.map((wanted) => `${page}:${line}: ${wanted}\n${outputs[index]}`),
			);
			expect(missing).toEqual([]);
		},
		180_000,
	);
});
