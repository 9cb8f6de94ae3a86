import { describe, expect, it } from "vitest";
import { describeTools } from "../../../../../src/hosts/pi/parent/describe-parent.ts";
import { listNamedExtensions } from "../../../../../src/hosts/pi/parent/list-extensions.ts";
import { listNamedTools } from "../../../../../src/hosts/pi/parent/offer-own-tools.ts";

type Tools = Parameters<typeof describeTools>[0];

function createPi(tools: Record<string, { source: string; path: string }>, active: string[]): Tools {
	return {
		getAllTools: () => Object.entries(tools).map(([name, sourceInfo]) => ({ name, sourceInfo })),
		getActiveTools: () => active,
	} as unknown as Tools;
}

describe("the tools a child can be given", () => {
	const file = import.meta.filename;
	const tools = describeTools(
		createPi(
			{
				read: { source: "builtin", path: "<builtin:read>" },
				lookup: { source: "local", path: file },
				inline: { source: "sdk", path: "<sdk:inline>" },
				mcp__docs__look: { source: "builtin", path: "builtin:mcp" },
				list_mcp_resources: { source: "builtin", path: "builtin:mcp" },
				web_search: { source: "npm:deputize", path: file },
				subagent: { source: "npm:deputize", path: file },
				load_tools: { source: "npm:deputize", path: file },
			},
			["read", "lookup", "inline", "subagent", "load_tools"],
		),
	);

	it("come from the file of the extension that registered them", () => {
		expect(tools.known.get("lookup")).toBe(file);
	});

	it("need no extension when they are pi's or this package's own", () => {
		expect(tools.known.has("read")).toBe(true);
		expect(tools.known.get("read")).toBeUndefined();
		expect(tools.known.get("web_search")).toBeUndefined();
		expect(tools.known.has("lsp")).toBe(true);
	});

	it("include those of MCP servers, which pi itself connects", () => {
		expect(tools.known.get("mcp__docs__look")).toBe("builtin:mcp");
		expect(tools.known.has("list_mcp_resources")).toBe(false);
	});

	it("do not include what exists in this process only", () => {
		expect(tools.known.has("inline")).toBe(false);
		expect(tools.known.has("subagent")).toBe(false);
		expect(tools.active.slice(0, 2)).toEqual(["read", "lookup"]);
		expect(tools.active).not.toContain("load_tools");
	});
});

describe("an agent with a deny list", () => {
	it("inherits our tools, whether or not the main agent has loaded them", () => {
		const tools = describeTools(createPi({}, ["read"]));
		expect(tools.active).toEqual(expect.arrayContaining(["read", "web_search", "convert_content", "lsp"]));
	});
});

describe("pi's own command line", () => {
	it("names extensions and tools", () => {
		const argv = ["node", "pi", "-e", "a.ts", "--extension", "b.ts", "--tools", "read, +lsp", "-e"];
		expect(listNamedExtensions(argv)).toEqual(["a.ts", "b.ts"]);
		expect(listNamedTools(argv)).toEqual(["read", "lsp"]);
		expect(listNamedTools(["node", "pi"])).toEqual([]);
	});
});
