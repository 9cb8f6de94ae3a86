import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { buildClaudeArguments } from "../../../../src/runtimes/claude/build-claude-arguments.ts";

describe("the command line of Claude Code", () => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "claude-arguments-")));
	const [home, project] = [join(root, "home"), join(root, "home", "project")];
	mkdirSync(join(project, "private"), { recursive: true });
	mkdirSync(join(root, "shared"));
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	const place = {
		home: "/run/home",
		loginDirectory: "/run/login",
		temporaryDirectory: "/run/tmp",
		systemPromptFile: "/run/system-prompt.md",
		schemaFile: "/run/schema.json",
	};
	function build(plan: Partial<ChildPlan> = {}, resumes?: string): readonly string[] {
		const whole = {
			cwd: project,
			tools: ["read", "grep", "find", "ls", "lsp"],
			mayWrite: false,
			session: { id: "S", file: "/s", resumed: false },
			finalize: { mode: "required", maxCorrections: 2 },
			fileRules: { readable: [join(root, "shared")], unreadable: ["private"] },
			agent: { name: "a" },
			...plan,
		} as unknown as ChildPlan;
		const surroundings = { env: {}, home, agentDirectory: join(home, ".pi", "agent") };
		return buildClaudeArguments(whole, place, { surroundings, model: "sonnet", resumes });
	}
	const following = (args: readonly string[], name: string) => args[args.indexOf(name) + 1];

	it("names exactly the granted tools that exist there, each once", () => {
		expect(following(build(), "--tools")).toBe("Read,Grep,Glob");
		expect(following(build({ tools: [] }), "--tools")).toBe("");
	});

	it("has nothing of the user or the project that runs or instructs", () => {
		const args = build();
		expect(following(args, "--setting-sources")).toBe("");
		for (const flag of ["--strict-mcp-config", "--disable-slash-commands", "--restricted"])
			expect(args).toContain(flag);
		expect(following(args, "--permission-mode")).toBe("dontAsk");
		expect(args).not.toContain("--allowedTools");
	});

	it("has a budget where the run has one", () => {
		expect(build()).not.toContain("--max-budget-usd");
		expect(following(build({ bounds: { maxCost: 0.25 } }), "--max-budget-usd")).toBe("0.25");
	});

	it("says what the judge says about files", () => {
		const args = build();
		const { deny } = JSON.parse(following(args, "--settings") ?? "").permissions;
		expect(deny).toEqual([`Read(/${project}/private)`, `Read(/${project}/private/**)`]);
		expect(following(args, "--add-dir")).toBe(join(root, "shared"));
	});

	it("allows the web by name, and writing only to those who may", () => {
		const web = build({ tools: ["read", "web_search", "fetch_content"] });
		expect(following(web, "--allowedTools")).toBe("WebSearch,WebFetch");
		const writer = build({ tools: ["read", "bash", "edit"], mayWrite: true });
		expect(following(writer, "--allowedTools")).toBe("Bash,Edit");
		expect(writer).not.toContain("--restricted");
	});

	it("begins a session under our id, or goes on with it", () => {
		expect(following(build(), "--session-id")).toBe("S");
		expect(following(build({}, "S"), "--resume")).toBe("S");
		expect(build({}, "S")).not.toContain("--session-id");
	});

	it("asks for the answer by schema unless plain text counts", () => {
		expect(JSON.parse(following(build(), "--json-schema") ?? "").required).toEqual([
			"status",
			"result",
			"error",
		]);
		expect(build({ finalize: { mode: "text", maxCorrections: 2 } })).not.toContain("--json-schema");
	});
});
