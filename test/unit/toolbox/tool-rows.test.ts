import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG, READONLY_LSP_ACTIONS } from "../../../src/contract/config.ts";
import type { HostNeutralTool, JsonSchema } from "../../../src/contract/tool.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import { createToolbox, type Toolbox } from "../../../src/toolbox/create-toolbox.ts";
import { EXEC_TOOL_NAMES, listAgentTools, TOOL_NAMES, TOOL_ROWS } from "../../../src/toolbox/tool-rows.ts";

const probe = await probeSandbox({ env: process.env });
const root = mkdtempSync(join(tmpdir(), "deputize-toolbox-"));
let toolbox: Toolbox;
let tools: readonly HostNeutralTool[];
const signal = new AbortController().signal;

function open(config = DEFAULT_CONFIG): Toolbox {
	return createToolbox({
		cwd: root,
		env: { PATH: process.env["PATH"] },
		home: join(root, "home"),
		agentDirectory: join(root, "home/.pi/agent"),
		config: () => config,
		storeDirectory: () => join(root, "store"),
		temporaryDirectory: () => root,
		lsp: { mode: "child", allowedActions: READONLY_LSP_ACTIONS, projectTrusted: false },
		workspace: {
			...{ root, network: false, hidden: [], memoryMb: 256 },
			...(probe.works ? { sandbox: probe.sandbox } : {}),
		},
	});
}

beforeAll(async () => {
	writeFileSync(join(root, "a.txt"), "alpha\nbeta\n");
	toolbox = open();
	tools = await toolbox.open(TOOL_NAMES);
});
afterAll(async () => {
	await toolbox.close();
	rmSync(root, { recursive: true, force: true });
});

function find(name: string): HostNeutralTool {
	const tool = tools.find((candidate) => candidate.name === name);
	if (!tool) throw new Error(`no tool ${name}`);
	return tool;
}

describe("the table of tools", () => {
	it("opens every row under its own name", () => {
		expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
	});

	it("has the names of the contracts", () => {
		expect(EXEC_TOOL_NAMES).toEqual([
			"search_web",
			"scrape_webpage",
			"bash_find",
			"bash_ripgrep",
			"bash_read",
			"python_execute",
		]);
		expect(listAgentTools()).toEqual([
			"read",
			"grep",
			"find",
			"ls",
			"search_code",
			"web_search",
			"fetch_content",
			"get_search_content",
			"convert_content",
			"lsp",
		]);
		expect(TOOL_NAMES.filter((name) => !TOOL_ROWS[name].readonly)).toEqual(["bash", "edit", "write"]);
	});

	it("leaves out what is switched off or unknown, and keeps the order", async () => {
		const off = open({ ...DEFAULT_CONFIG, web: { ...DEFAULT_CONFIG.web, enabled: false } });
		const opened = await off.open(["ls", "web_search", "none", "read", "search_web"]);
		expect(opened.map(({ name }) => name)).toEqual(["ls", "read", "search_web"]);
	});
});

/** A valid call of each tool, without what would reach the network or start a program. */
const VALID: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	read: { path: "a.txt" },
	grep: { pattern: "alpha" },
	find: { pattern: "*" },
	ls: {},
	search_code: { query: "alpha" },
	web_search: { query: "" },
	fetch_content: { url: "nonsense" },
	get_search_content: { responseId: "none" },
	convert_content: { path: "none.pdf" },
	lsp: { action: "servers" },
	search_web: { query: "" },
	scrape_webpage: { url: "nonsense" },
	bash_find: {},
	bash_ripgrep: { pattern: "alpha" },
	bash_read: { filepath: "a.txt" },
	python_execute: { code: "" },
	bash: { command: "true" },
	try_command: { command: "true" },
	edit: { path: "a.txt", edits: [{ oldText: "none", newText: "" }] },
	write: { path: "b.txt", content: "" },
};

/** The field a tool has of a type, for the rows below. */
function fieldOf(tool: HostNeutralTool, type: string): string | undefined {
	const properties = tool.parameters["properties"] as Readonly<Record<string, JsonSchema>>;
	const found = Object.entries(properties).find(
		([name, property]) => property["type"] === type && !(name in (VALID[tool.name] ?? {})),
	);
	return found?.[0];
}

describe.each(TOOL_NAMES)("%s reads its input by the one rule", (name) => {
	const call = async (input: unknown) =>
		(await find(name).execute(input, { cwd: root, signal })).text.replace(/fetch-\w+/g, "fetch-id");

	it("refuses an unknown field by name", async () => {
		expect(await call({ ...VALID[name], misspelled: 1 })).toMatch(/[Uu]nknown .*misspelled/);
	});

	it("refuses what is no object", async () => {
		expect(await call(null)).toMatch(/object/);
		expect(await call([])).toMatch(/object/);
	});

	it("takes null for absent", async () => {
		const input = { ...VALID[name] };
		for (const type of ["integer", "number", "boolean", "array", "string"]) {
			const field = fieldOf(find(name), type);
			if (field && name !== "get_search_content") input[field] = null;
		}
		expect(await call(input)).toBe(await call(VALID[name]));
	});

	it("takes numbers and booleans as strings", async () => {
		const number = fieldOf(find(name), "integer") ?? fieldOf(find(name), "number");
		const flag = fieldOf(find(name), "boolean");
		const input = { ...VALID[name], ...(number && { [number]: "5" }), ...(flag && { [flag]: "false" }) };
		expect(await call(input)).not.toMatch(/must be/);
	});

	it("names the field that has another type", async () => {
		const number = fieldOf(find(name), "integer") ?? fieldOf(find(name), "number");
		if (number) expect(await call({ ...VALID[name], [number]: "many" })).toContain(number);
		const flag = fieldOf(find(name), "boolean");
		if (flag) expect(await call({ ...VALID[name], [flag]: "maybe" })).toContain(flag);
	});
});
