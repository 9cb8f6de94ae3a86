import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition, ToolRule } from "../../../src/contract/agent.ts";
import { DEFAULT_CONFIG, type DeputizeConfig } from "../../../src/contract/config.ts";
import {
	DEFAULT_PARENT_TOOLS,
	grantTools,
	listReadonlyTools,
	type ParentTools,
	withoutTrying,
} from "../../../src/delegation/filter-tools.ts";

const agent = (tools: ToolRule, readonly = false): AgentDefinition => ({
	name: "a",
	description: "",
	prompt: "",
	readonly,
	tools,
	source: "user",
	file: "/a.md",
	contentHash: "",
});
const subagents = (change: Partial<DeputizeConfig["subagents"]>): DeputizeConfig => ({
	...DEFAULT_CONFIG,
	subagents: { ...DEFAULT_CONFIG.subagents, ...change },
});
const WRITING = subagents({ allowWrite: true });
const READONLY = listReadonlyTools(DEFAULT_CONFIG);
const grant = (
	rule: ToolRule,
	config = DEFAULT_CONFIG,
	readonly = false,
	parent: ParentTools = DEFAULT_PARENT_TOOLS,
) => grantTools(agent(rule, readonly), config, parent, false);

describe("grantTools", () => {
	it("gives an agent without a list the readonly set", () => {
		expect(grant({ kind: "default" }).tools).toEqual([
			...["read", "grep", "find", "ls", "search_code"],
			...["web_search", "fetch_content", "get_search_content", "convert_content", "lsp"],
		]);
	});

	it("gives nothing for an empty list, and for a list of write tools", () => {
		expect(grant({ kind: "allow", names: [] }).tools).toEqual([]);
		expect(grant({ kind: "allow", names: ["bash", "edit", "write"] })).toMatchObject({
			tools: [],
			withheld: ["bash", "edit", "write"],
			mayWrite: false,
		});
	});

	it("keeps a readonly agent readonly although writing is allowed", () => {
		expect(grant({ kind: "allow", names: ["read", "bash"] }, WRITING, true)).toMatchObject({
			tools: ["read"],
			mayWrite: false,
		});
	});

	it("gives a writer our tools that change files and those that read, and no language servers of the parent", () => {
		const parent: ParentTools = {
			known: new Map([...DEFAULT_PARENT_TOOLS.known, ["bash", "/other.ts"], ["deploy", "/deploy.ts"]]),
			active: [...DEFAULT_PARENT_TOOLS.active, "deploy"],
		};
		const names = ["read", "lsp", "deploy", "bash", "edit"];
		for (const config of [DEFAULT_CONFIG, WRITING])
			expect(grantTools(agent({ kind: "allow", names }), config, parent, true)).toMatchObject({
				...{ tools: ["read", "bash", "edit"], withheld: ["lsp", "deploy"] },
				...{ extensions: [], lspActions: [], mayWrite: false, worksInLayer: "to-change" },
			});
		const byDefault = grantTools(agent({ kind: "default" }), DEFAULT_CONFIG, parent, true).tools;
		expect(byDefault).toEqual([...READONLY.filter((name) => name !== "lsp"), "bash", "edit", "write"]);
		const reader = grantTools(agent({ kind: "allow", names: ["read"] }), DEFAULT_CONFIG, parent, true);
		expect(reader.worksInLayer).toBe(false);
	});

	it("lets a reader that lists it try commands only where the user says so, and no other agent", () => {
		const TRYING = subagents({ tryCommands: true, allowWrite: true });
		const rule: ToolRule = { kind: "allow", names: ["read", "try_command"] };
		const granted = grant(rule, TRYING, true);
		expect(granted).toMatchObject({
			tools: ["read", "try_command"],
			mayWrite: false,
			worksInLayer: "to-try",
		});
		expect(withoutTrying(granted)).toMatchObject({
			...{ tools: ["read"], withheld: ["try_command"], worksInLayer: false },
		});
		expect(grant({ kind: "default" }, TRYING, true).tools).toEqual(READONLY);
		expect(grant({ kind: "deny", names: [] }, TRYING).tools).not.toContain("try_command");
		const off = { tools: ["read"], withheld: ["try_command"], worksInLayer: false };
		expect(grant(rule, DEFAULT_CONFIG, true)).toMatchObject(off);
		// One that changes the project itself has no layer, and one that changes files in one has bash.
		expect(grant(rule, TRYING)).toMatchObject(off);
		expect(grantTools(agent(rule), TRYING, DEFAULT_PARENT_TOOLS, true)).toMatchObject(off);
		// Ours list it, and nobody hears of it until it is switched on.
		const builtin = { ...agent(rule, true), source: "builtin" as const };
		expect(grantTools(builtin, DEFAULT_CONFIG, DEFAULT_PARENT_TOOLS, false).withheld).toEqual([]);
		const taken: ParentTools = {
			...DEFAULT_PARENT_TOOLS,
			known: new Map([...DEFAULT_PARENT_TOOLS.known, ["try_command", "/other.ts"]]),
		};
		expect(grant(rule, TRYING, true, taken).extensions, "another extension's tool of the name").toEqual([]);
	});

	it("lets a writer change the project itself only where the user says so", () => {
		const config = subagents({ isolation: "in-place" });
		const granted = grantTools(
			agent({ kind: "allow", names: ["read", "bash"] }),
			config,
			DEFAULT_PARENT_TOOLS,
			true,
		);
		expect(granted).toMatchObject({ tools: ["read", "bash"], mayWrite: true, worksInLayer: false });
	});

	it("gives an agent that is not readonly what it names when writing is allowed", () => {
		expect(grant({ kind: "allow", names: ["read", "bash"] }, WRITING)).toMatchObject({
			tools: ["read", "bash"],
			mayWrite: true,
		});
		expect(grant({ kind: "default" }, WRITING).tools).toEqual(DEFAULT_PARENT_TOOLS.active);
	});

	it("gives what the parent has now, without what is denied, without subagent and internal tools", () => {
		const parent: ParentTools = {
			known: new Map([
				["read", undefined],
				["bash", undefined],
				["subagent", undefined],
				["jira", "/ext/jira.ts"],
				["subagent_finalize", undefined],
			]),
			active: ["read", "bash", "subagent", "jira", "subagent_finalize"],
		};
		const granted = grant({ kind: "deny", names: ["bash"] }, WRITING, false, parent);
		expect(granted.tools).toEqual(["read", "jira"]);
		expect(granted.extensions).toEqual(["/ext/jira.ts"]);
		expect(grant({ kind: "deny", names: ["bash"] }, DEFAULT_CONFIG, false, parent)).toMatchObject({
			tools: ["read"],
			withheld: ["jira"],
		});
	});

	it("says what a deny list does not get, unless the agent only reads", () => {
		const withheld = (readonly: boolean) =>
			grant({ kind: "deny", names: ["write"] }, DEFAULT_CONFIG, readonly).withheld;
		expect(withheld(false)).toEqual(["bash", "edit"]);
		expect(withheld(true)).toEqual([]);
	});

	it("names an unknown tool before anything is started", () => {
		expect(() => grant({ kind: "allow", names: ["read", "reed"] })).toThrow(/unknown tool "reed" in \/a\.md/);
		expect(() => grant({ kind: "deny", names: ["bahs"] })).toThrow(/unknown tool "bahs"/);
		const names = ["reed", "bahs"];
		const few: ParentTools = {
			known: new Map([
				["read", undefined],
				["bash", undefined],
			]),
			active: [],
		};
		expect(() => grant({ kind: "allow", names }, DEFAULT_CONFIG, false, few)).toThrow(
			'The agent a names unknown tools "reed", "bahs" in /a.md. Known tools: read, bash.',
		);
	});

	it("leaves lsp out when it is switched off, and never passes on a privileged action", () => {
		expect(grant({ kind: "default" }, subagents({ allowLspTools: false })).tools).not.toContain("lsp");
		expect(grant({ kind: "default" }, subagents({ allowedLspActions: [] })).tools).not.toContain("lsp");
		expect(
			grant({ kind: "default" }, subagents({ allowedLspActions: ["rename", "restart"] })).tools,
		).not.toContain("lsp");
		const { lspActions } = grant(
			{ kind: "default" },
			subagents({ allowedLspActions: ["hover", "rename", "codeAction"] }),
		);
		expect(lspActions).toEqual(["hover"]);
	});

	it("leaves web and convert tools out when they are switched off, also for writers", () => {
		const config = {
			...WRITING,
			web: { ...WRITING.web, enabled: false },
			convert: { ...WRITING.convert, enabled: false },
		};
		for (const readonly of [true, false]) {
			const { tools } = grant({ kind: "default" }, config, readonly);
			for (const name of ["web_search", "fetch_content", "get_search_content", "convert_content"])
				expect(tools).not.toContain(name);
		}
	});

	const names = fc.subarray([...DEFAULT_PARENT_TOOLS.known.keys()]);
	it("never gives a write tool while writing is off", () => {
		fc.assert(
			fc.property(
				names,
				fc.constantFrom("allow", "deny", "default"),
				fc.boolean(),
				(list, kind, readonly) => {
					const rule = kind === "default" ? { kind } : { kind, names: list };
					return grant(rule as ToolRule, DEFAULT_CONFIG, readonly).tools.every((tool) =>
						READONLY.includes(tool),
					);
				},
			),
		);
	});

	it("never adds a tool by denying one more", () => {
		fc.assert(
			fc.property(
				names,
				fc.constantFrom(...DEFAULT_PARENT_TOOLS.known.keys()),
				fc.boolean(),
				(denied, extra, write) => {
					const config = write ? WRITING : DEFAULT_CONFIG;
					const before = grant({ kind: "deny", names: denied }, config).tools;
					const after = grant({ kind: "deny", names: [...denied, extra] }, config).tools;
					return after.every((tool) => before.includes(tool));
				},
			),
		);
	});

	const OTHERS: ParentTools = {
		known: new Map([
			...DEFAULT_PARENT_TOOLS.known,
			["docs_lookup", "/x/docs.ts"],
			["docs_erase", "/x/docs.ts"],
			["mcp__context7__search", "builtin:mcp"],
			["mcp__shell__run", "builtin:mcp"],
			// An extension may stand in for a tool of pi.
			["bash", "/x/bash.ts"],
		]),
		active: [...DEFAULT_PARENT_TOOLS.active, "docs_lookup"],
	};
	const vouch = (...readonlyTools: string[]) => subagents({ readonlyTools });

	it("gives children that only read the tools of others that the user vouches for, and their extensions", () => {
		const config = vouch("docs_lookup", "mcp__context7__*");
		expect(grant({ kind: "default" }, config, true, OTHERS)).toMatchObject({
			tools: [...READONLY, "docs_lookup", "mcp__context7__search"],
			extensions: ["/x/docs.ts", "builtin:mcp"],
			mayWrite: false,
		});
		const named = { kind: "allow", names: ["read", "docs_lookup", "docs_erase", "mcp__shell__run"] } as const;
		expect(grant(named, config, true, OTHERS)).toMatchObject({
			tools: ["read", "docs_lookup"],
			withheld: ["docs_erase", "mcp__shell__run"],
		});
	});

	it("takes no word of the user for a tool that writes, whatever extension it comes from", () => {
		const { tools, mayWrite } = grant({ kind: "default" }, vouch("*", "bash", "edit"), true, OTHERS);
		expect(tools).toEqual([
			...READONLY,
			"docs_lookup",
			"docs_erase",
			"mcp__context7__search",
			"mcp__shell__run",
		]);
		expect(mayWrite).toBe(false);
		expect(grant({ kind: "allow", names: ["subagent", "bash"] }, vouch("*"), true, OTHERS).tools).toEqual([]);
	});

	it("starts no MCP server that nobody vouches for, also for writers", () => {
		const rule = { kind: "allow", names: ["bash", "docs_erase", "mcp__shell__run"] } as const;
		expect(grant(rule, WRITING, false, OTHERS)).toMatchObject({
			tools: ["bash", "docs_erase"],
			withheld: ["mcp__shell__run"],
		});
	});

	it("reads a pattern in a list as the tools of others it matches", () => {
		const rule = { kind: "allow", names: ["read", "mcp__*"] } as const;
		expect(grant(rule, vouch("mcp__context7__*"), true, OTHERS)).toMatchObject({
			tools: ["read", "mcp__context7__search"],
			withheld: ["mcp__shell__run"],
		});
		expect(grant({ kind: "allow", names: ["*"] }, WRITING, false, OTHERS).tools).not.toContain("write");
	});

	it("goes on without a tool that the user vouches for and that is not there, and says so", () => {
		const rule = { kind: "allow", names: ["read", "docs_lookup", "mcp__context7__*"] } as const;
		for (const config of [vouch("docs_lookup", "mcp__context7__*"), { ...vouch("docs_lookup", "mcp__*") }]) {
			expect(grant(rule, config, true)).toMatchObject({
				tools: ["read"],
				withheld: ["docs_lookup", "mcp__context7__*"],
			});
		}
		expect(() => grant(rule, vouch("docs_lookup"), true)).toThrow(/unknown tool "mcp__context7__\*"/);
	});
});
