import fc from "fast-check";
import { parse } from "smol-toml";
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

	it("keeps everything else as it is written, its indentation and its last line", () => {
		const before = '{\n    "b": 1,\n    "mcpServers": {\n        "x": {}\n    },\n    "a": [1, 2]\n}';
		const after = textOf(changeJson(before, PATH, { command: "deputize" }));
		expect(after).toBe(
			'{\n    "b": 1,\n    "mcpServers": {\n        "x": {},\n        "deputize": {\n            "command": "deputize"\n        }\n    },\n    "a": [1, 2]\n}',
		);
	});

	it.each([
		["{}", '{\n  "mcpServers": {\n    "deputize": 0\n  }\n}'],
		['{"x":1}\n', '{"x":1,\n  "mcpServers": {\n    "deputize": 0\n  }\n}\n'],
		["// mine\n{ // all\n}", '// mine\n{ // all\n  "mcpServers": {\n    "deputize": 0\n  }\n}'],
		[
			'{\n  "a": "}", // last, "x": {\n  /* and */\n}\n',
			'{\n  "a": "}", // last, "x": {\n  /* and */\n  "mcpServers": {\n    "deputize": 0\n  }\n}\n',
		],
		[
			'{\n  "mcpServers": {\n    "x": [1,], // x\n  },\n}',
			'{\n  "mcpServers": {\n    "x": [1,], // x\n    "deputize": 0\n  },\n}',
		],
		[
			'{\n  "mcpServers": {\n    "x": "//" // x\n  }\n}',
			'{\n  "mcpServers": {\n    "x": "//", // x\n    "deputize": 0\n  }\n}',
		],
		['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"deputize": 0\r\n\t}\r\n}\r\n'],
		["\uFEFF{}", '\uFEFF{\n  "mcpServers": {\n    "deputize": 0\n  }\n}'],
		[
			'{"mcpServers":{"deputize":"old"}, // servers\n"a":1}',
			'{"mcpServers":{"deputize":0}, // servers\n"a":1}',
		],
	])("with comments and commas of any kind: %j", (before, after) => {
		const changed = changeJson(before, PATH, 0 as never);
		expect(changed).toEqual({ text: after });
		expect(changeJson(after, PATH, 0 as never)).toEqual({ text: after });
	});

	it("of any content is changed in that one place", () => {
		const settings = fc.dictionary(fc.string(), fc.jsonValue());
		fc.assert(
			fc.property(settings, fc.constantFrom(undefined, "  ", "\t"), (content, indentation) => {
				const before = JSON.stringify({ ...content, mcpServers: content }, undefined, indentation);
				const wanted = JSON.parse(before);
				wanted.mcpServers.deputize = ENTRY;
				expect(JSON.parse(textOf(changeJson(before, PATH, ENTRY)))).toEqual(wanted);
			}),
		);
	});

	it("is the same text the second time", () => {
		const once = textOf(changeJson('{"x":1}\n', PATH, ENTRY));
		expect(textOf(changeJson(once, PATH, ENTRY))).toBe(once);
	});

	it.each([
		[
			{ command: "old", env: { KEY: "$KEY" }, note: 1 },
			{ env: { KEY: "$KEY" }, note: 1, args: ["mcp"] },
		],
		[
			{ command: "npx", args: ["deputize", "mcp"], env: {} },
			{ args: ["mcp"], env: {} },
		],
		[{ args: ["mcp", "--runtime", "loop"] }, { args: ["mcp", "--runtime", "loop"], env: {} }],
		[
			{ args: ["mcp"], env: null, trust: false },
			{ args: ["mcp"], env: null, trust: false },
		],
	])("keeps what a person added to the entry and corrects how it is started: %j", (present, kept) => {
		const before = JSON.stringify({ mcpServers: { deputize: present } });
		const after = changeJson(before, PATH, { ...ENTRY, trust: true });
		expect(JSON.parse(textOf(after))).toEqual({
			mcpServers: { deputize: { trust: true, ...kept, command: "deputize" } },
		});
	});

	it.each([["[]"], ['{"a": 1'], ['{"a": /* }'], ["{a: 1}"], ['{"mcpServers": []}'], ['{"mcpServers": "x"}']])(
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
		["[mcp_servers]\nother = { deputize = 1 }\n", `[mcp_servers]\nother = { deputize = 1 }\n\n${ADDED}`],
		["[x]\ndeputize = 1\n", `[x]\ndeputize = 1\n\n${ADDED}`],
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

	it("keeps the ends of its lines, and options that a person added", () => {
		const before =
			'a = 1\r\n[mcp_servers.deputize]\r\nargs = ["mcp", "--runtime", "loop"] # mine\r\nrequired = false\r\n';
		const after = before.replace("deputize]\r\n", 'deputize]\r\ncommand = "deputize"\r\n');
		expect(changeToml(before, TABLE, WANTED)).toEqual({ text: after });
		expect(changeToml("a = 1\r\n", TABLE, { command: "deputize" })).toEqual({
			text: 'a = 1\r\n\r\n[mcp_servers.deputize]\r\ncommand = "deputize"\r\n',
		});
	});

	it.each([
		['args = ["mcp"]\nmatrix = [ ["a"],\n["b"] ]\ncommand = "old"\n', { matrix: [["a"], ["b"]] }],
		['args = [\n  "mcp", # mine\n  "--runtime",\n]\n', { args: ["mcp", "--runtime"] }],
		["until = 2026-11-16\nbig = 9007199254740993\n", { big: 9007199254740993n }],
	])("with lists over several lines stays one: %j", (block, kept) => {
		const changed = textOf(changeToml(`[mcp_servers.deputize]\n${block}`, TABLE, WANTED));
		expect(parse(changed, { integersAsBigInt: "asNeeded" })).toMatchObject({
			mcp_servers: { deputize: { ...WANTED, ...kept } },
		});
	});

	it.each([
		["mcp_servers = { deputize = {} }\n"],
		['[mcp_servers]\ndeputize = { command = "x" }\n'],
		['[mcp_servers]\n"deputize".command = "x"\n'],
		['[ "mcp_servers" ]\na = 1\ndeputize . args = []\n'],
		['mcp_servers.deputize.command = "x"\n'],
		['[mcp_servers.deputize]\nargs = [\n  "old",\n]\n'],
		['[mcp_servers.deputize]\nargs = ["mcp"]\nmatrix = [\n["a"]\n]\ncommand = "old"\n'],
		['note = """\n[mcp_servers.deputize]\n""" # end\n'],
		["note = '''\n[mcp_servers.deputize]\ncommand = 1\n'''\n[mcp_servers.deputize]\n"],
		['model = "m"\n[mcp_servers.deputize\n'],
		["[[mcp_servers]]\n"],
		["mcp_servers = 1\n"],
	])("%j is left to the person", (before) => {
		expect(changeToml(before, TABLE, WANTED)).toHaveProperty("problem");
	});
});
