import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	type LspWorkspace,
	type TestToolOptions,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
	workspace = createWorkspace();
	workspace.write("bad.fake", "define area\n  🎉 BAD\n");
	workspace.write("good.fake", "define other\n");
});
afterEach(async () => {
	await Promise.all(closing.splice(0).map((close) => close()));
	workspace.remove();
});

function createTool(behaviour: string, options: TestToolOptions = {}) {
	const config = {
		...fakeServerConfig(behaviour, join(workspace.directory, "server.log")),
		...options.config,
	};
	const tool = createTestTool({ ...options, config });
	closing.push(tool.close);
	return tool;
}

const check = (file: string) => ({ action: "diagnostics", file });

describe.each(["well", "push-versioned", "pull", "late-pull"])(
	"diagnostics of a server that offers %s",
	(behaviour) => {
		it("are those of the text on disk, before and after it changes", async () => {
			const tool = createTool(behaviour);
			const bad = await callLsp(tool, workspace, check("bad.fake"));
			expect(bad.text).toBe(
				"diagnostics: 1 error in 1 checked file: bad.fake\nbad.fake (1)\n  2:5  error [fake bad] BAD is bad\n      | 🎉 BAD",
			);
			workspace.write("bad.fake", "define area\n");
			expect((await callLsp(tool, workspace, check("bad.fake"))).text).toMatch(
				/no problems in 1 checked file/,
			);
			workspace.write("bad.fake", "BAD\nBAD\n");
			expect((await callLsp(tool, workspace, check("bad.fake"))).details["total"]).toBe(2);
			// Asked again without a change, and after another file changed.
			expect((await callLsp(tool, workspace, check("bad.fake"))).details["total"]).toBe(2);
			workspace.write("good.fake", "define something\n");
			expect((await callLsp(tool, workspace, check("bad.fake"))).details["total"]).toBe(2);
		});
	},
);

describe("silence", () => {
	it("is reported as a timeout, never as a clean file", async () => {
		const tool = createTool("silent", { config: { requestTimeoutMs: 400 } });
		const outcome = await callLsp(tool, workspace, check("good.fake"));
		expect(outcome).toMatchObject({ isError: true, details: { error: { code: "LSP_TIMEOUT" } } });
		expect(outcome.text).toMatch(/not known to be free of problems/);
		expect(outcome.text).not.toMatch(/no problems/);
	});
});

describe("workspace-diagnostics", () => {
	it("checks all files of the workspace and counts them", async () => {
		const outcome = await callLsp(createTool("pull"), workspace, { action: "workspace-diagnostics" });
		expect(outcome.text).toMatch(/^workspace-diagnostics: 1 error in 2 checked files\nbad\.fake \(1\)\n/);
		expect(outcome.details).toMatchObject({ checked: 2, complete: true });
	});

	it("checks the named files only, and refuses names that are not there", async () => {
		const tool = createTool("pull");
		const named = await callLsp(tool, workspace, { action: "workspace-diagnostics", files: ["good.fake"] });
		expect(named.text).toMatch(/no problems in 1 checked file: good\.fake/);
		const missing = await callLsp(tool, workspace, { action: "workspace-diagnostics", files: ["x.fake"] });
		expect(missing.text).toMatch(/There is no file x\.fake/);
	});

	it("leaves out what is less severe than asked for", async () => {
		const outcome = await callLsp(createTool("flood"), workspace, {
			action: "diagnostics",
			file: "good.fake",
			severity: "error",
		});
		expect(outcome.text).toMatch(/no problems of severity error or worse/);
	});
});
