import { describe, expect, it } from "vitest";
import { changeJson } from "../../../../src/commands/install/change-json.ts";
import { changeToml } from "../../../../src/commands/install/change-toml.ts";

const PATH = ["mcpServers", "deputize"];
const ENTRY = { command: "deputize", args: ["mcp"], env: {} };
const textOf = (change: ReturnType<typeof changeJson>): string =>
	"text" in change ? change.text : change.problem;

describe("a JSON file", () => {
	it.each([[undefined], [""], [" \n"]])("that is %j gets the entry alone", (before) => {
		expect(JSON.parse(textOf(changeJson(before, PATH, ENTRY)))).toEqual({ mcpServers: { deputize: ENTRY } });
	});

	it("keeps everything else, its indentation and its last line", () => {
		const before = '{\n    "b": 1,\n    "mcpServers": {\n        "x": {}\n    },\n    "a": [1]\n}';
		const after = textOf(changeJson(before, PATH, ENTRY));
		expect(Object.keys(JSON.parse(after) as object)).toEqual(["b", "mcpServers", "a"]);
		expect(after).toContain('\n    "b": 1,\n');
		expect(after.endsWith("}")).toBe(true);
	});

	it("is the same text the second time", () => {
		const once = textOf(changeJson('{"x":1}\n', PATH, ENTRY));
		expect(textOf(changeJson(once, PATH, ENTRY))).toBe(once);
	});

	it("keeps what a person added to the entry and corrects what is ours", () => {
		const before = JSON.stringify({
			mcpServers: { deputize: { command: "old", env: { KEY: "$KEY" }, note: 1 } },
		});
		expect(JSON.parse(textOf(changeJson(before, PATH, ENTRY)))).toEqual({
			mcpServers: { deputize: { command: "deputize", env: { KEY: "$KEY" }, note: 1, args: ["mcp"] } },
		});
	});

	it.each([["// a comment\n{}"], ["[]"], ['{"mcpServers": []}'], ['{"mcpServers": "x"}']])(
		"%s is left alone",
		(before) => {
			expect(changeJson(before, PATH, ENTRY)).toHaveProperty("problem");
		},
	);
});

describe("a TOML file", () => {
	const TABLE = ["mcp_servers", "deputize"];
	const WANTED = { command: "deputize", args: ["mcp"], required: true };
	const ADDED = '[mcp_servers.deputize]\ncommand = "deputize"\nargs = ["mcp"]\nrequired = true\n';

	it.each([
		[undefined, ADDED],
		['model = "m"\n', `model = "m"\n\n${ADDED}`],
		['model = "m"', `model = "m"\n\n${ADDED}`],
		["[mcp_servers.other]\nargs = [\n]\n\n", `[mcp_servers.other]\nargs = [\n]\n\n${ADDED}`],
	])("%j gets a table at its end", (before, after) => {
		expect(changeToml(before, TABLE, WANTED)).toEqual({ text: after });
		expect(changeToml(after, TABLE, WANTED)).toEqual({ text: after });
	});

	it("keeps comments, other keys and the tables around", () => {
		const before =
			'[a]\n[mcp_servers."deputize"] # mine\nenv_vars = ["KEY"]\ncommand = "old"\n[mcp_servers.deputize.env]\nA = "1"\n';
		expect(changeToml(before, TABLE, WANTED)).toEqual({
			text: '[a]\n[mcp_servers."deputize"] # mine\nrequired = true\nargs = ["mcp"]\nenv_vars = ["KEY"]\ncommand = "deputize"\n[mcp_servers.deputize.env]\nA = "1"\n',
		});
	});

	it.each([
		["mcp_servers = { deputize = {} }\n"],
		['mcp_servers.deputize.command = "x"\n'],
		['[mcp_servers.deputize]\nargs = [\n  "mcp",\n]\n'],
	])("%j is left to the person", (before) => {
		expect(changeToml(before, TABLE, WANTED)).toHaveProperty("problem");
	});
});
