import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LspTool } from "../../../../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	type LspWorkspace,
	placesOf,
	readFakeLog,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let tool: LspTool;
let log: string;

beforeEach(() => {
	workspace = createWorkspace();
	log = join(workspace.directory, "server.log");
	workspace.write("a.fake", "define area\nuse area\n");
	const { fake } = fakeServerConfig("asks", log).servers ?? {};
	const settings = { fake: { level: "high" } };
	tool = createTestTool({
		config: { sandbox: "off", servers: { fake: typeof fake === "object" ? { ...fake, settings } : false } },
	});
});
afterEach(async () => {
	await tool.close();
	workspace.remove();
});

describe("what a server asks its client", () => {
	it("is answered, every question, and the server goes on", async () => {
		const outcome = await callLsp(tool, workspace, {
			action: "definition",
			file: "a.fake",
			line: 2,
			column: 5,
		});
		expect(placesOf(outcome)).toEqual(["a.fake:1:8"]);
		const answers = new Map(
			readFakeLog(log).flatMap(({ id, params, error }) => (id === undefined ? [] : [[id, error ?? params]])),
		);
		expect(answers.get("configuration")).toEqual(["high", null, expect.anything()]);
		expect(answers.get("progress")).toBeNull();
		expect(answers.get("folders")).toEqual([
			{ uri: pathToFileURL(workspace.directory).href, name: expect.any(String) },
		]);
		expect(answers.get("register")).toBeNull();
		expect(answers.get("unregister")).toBeNull();
		expect(answers.get("edit")).toMatchObject({ applied: false });
		expect(answers.get("message")).toBeNull();
		expect(answers.get("unknown")).toBe(-32601);
	});
});
