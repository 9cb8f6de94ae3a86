import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ChildPlan } from "../../../../src/contract/plan.ts";
import { buildCodexConfig } from "../../../../src/runtimes/codex/build-codex-config.ts";

describe("the settings of a Codex child", () => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "codex-config-")));
	const home = join(root, "home");
	const agentDirectory = join(home, ".pi", "agent");
	const codexHome = join(agentDirectory, "deputize/runs/1-1-abc/home");
	mkdirSync(join(home, ".ssh"), { recursive: true });
	mkdirSync(join(codexHome, "tmp"), { recursive: true });
	mkdirSync(join(root, "project"));
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	const plan = {
		cwd: join(root, "project"),
		tools: ["read"],
		mayWrite: false,
		systemPrompt: "Look.",
		session: { id: "S", file: "/s", resumed: false },
		fileRules: { readable: [], unreadable: [] },
		agent: { name: "a" },
	} as unknown as ChildPlan;
	const text = buildCodexConfig(plan, {
		surroundings: { env: {}, home, agentDirectory },
		settings: {
			values: { model_providers: { own: { experimental_bearer_token: "secret" } } },
			variables: [],
		},
		model: undefined,
		program: "/usr/bin/codex",
		codexHome,
	});
	const denied = [...text.matchAll(/^"(.*)" = "deny"$/gm)].map((match) => match[1]);

	it("close these settings, which can contain tokens, and the login to its commands", () => {
		expect(text).toContain('experimental_bearer_token = "secret"');
		expect(denied).toEqual(
			expect.arrayContaining([
				join(home, ".ssh"),
				join(codexHome, "config.toml"),
				join(codexHome, "auth.json"),
			]),
		);
	});

	it("leave its sandbox the directory it starts from", () => {
		expect(denied.filter((path) => path === codexHome || path === join(codexHome, "tmp"))).toEqual([]);
	});
});
