import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../../src/contract/config.ts";
import type { LspTool } from "../../../../../src/tools/lsp/create-lsp-tool.ts";
import { createEditWatch, type EditWatch } from "../../../../../src/tools/lsp/workspace/create-edit-watch.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	type LspWorkspace,
	placesOf,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let tool: LspTool;
let watch: EditWatch;

function start(behaviour: string, hook: "off" | "agent_end" | "edit_write" = "agent_end"): void {
	const config = {
		...fakeServerConfig(behaviour, join(workspace.directory, "server.log")),
		requestTimeoutMs: 1500,
	};
	tool = createTestTool({ config });
	watch = createEditWatch(tool, { ...DEFAULT_CONFIG.lsp, ...config, hook });
}

beforeEach(() => {
	workspace = createWorkspace();
	workspace.write("a.fake", "BAD old\n");
});
afterEach(async () => {
	await tool.close();
	workspace.remove();
});

const context = () => ({ cwd: workspace.directory, signal: new AbortController().signal });

async function edit(file: string, text: string): Promise<void> {
	await watch.noteBeforeEdit(file, workspace.directory);
	workspace.write(file, text);
}

describe.each(["pull", "well", "push-versioned"])(
	"after edits, with a server that offers %s",
	(behaviour) => {
		it("only new problems are reported, also when lines moved", async () => {
			start(behaviour);
			await edit("a.fake", "fine\nfine\nBAD old\nBAD new\n");
			const report = await watch.reportAll(context());
			expect(report?.text).toBe("New since these edits: 1 error\na.fake\n  4:1  error [fake bad] BAD is bad");
		});

		it("the server goes back to what is on disk", async () => {
			start(behaviour);
			await edit("a.fake", "define area\nBAD new\n");
			await watch.reportAll(context());
			const outcome = await callLsp(tool, workspace, { action: "definition", file: "a.fake", query: "area" });
			expect(placesOf(outcome)).toEqual(["a.fake:1:8"]);
		});
	},
);

describe("after edits", () => {
	it("nothing is said when nothing is new", async () => {
		start("pull");
		await edit("a.fake", "BAD old\nfine\n");
		expect(await watch.reportAll(context())).toBeUndefined();
	});

	it("all problems of a new file are new", async () => {
		start("pull");
		await edit("new.fake", "BAD\n");
		expect(await watch.reportAll(context())).toMatchObject({ problems: 1, files: ["new.fake"] });
	});

	it("the same problems are not said twice, and never more than twice in a row", async () => {
		start("pull");
		await edit("a.fake", "BAD old\nBAD one\n");
		expect(await watch.reportAll(context())).toMatchObject({ problems: 1 });
		expect(await watch.reportAll(context())).toBeUndefined();
		await edit("a.fake", "BAD old\nBAD two\n");
		expect(await watch.reportAll(context())).toMatchObject({ problems: 1 });
		await edit("a.fake", "BAD old\nBAD three\n");
		expect(await watch.reportAll(context())).toBeUndefined();
		watch.onUserInput();
		await edit("a.fake", "BAD old\nBAD three\nBAD four\n");
		expect((await watch.reportAll(context()))?.text).toMatch(/3:1 {2}error/);
	});

	it("one file can be asked about on its own", async () => {
		start("pull", "edit_write");
		await edit("a.fake", "BAD old\nBAD one\n");
		await edit("b.fake", "BAD\n");
		expect((await watch.reportFile("a.fake", context()))?.files).toEqual(["a.fake"]);
	});

	it("silence of the server is not a report of any kind", async () => {
		start("silent");
		await edit("a.fake", "BAD old\nBAD one\n");
		expect(await watch.reportAll(context())).toBeUndefined();
	});

	it("switched off, nothing is remembered and no server starts", async () => {
		start("pull", "off");
		await edit("a.fake", "BAD old\nBAD one\n");
		expect(await watch.reportAll(context())).toBeUndefined();
	});
});
