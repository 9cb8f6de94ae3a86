import { describe, expect, it } from "vitest";
import { createCommandContext } from "../../../../src/commands/command-context.ts";
import { listNextSteps, proposeChanges } from "../../../../src/commands/init/propose-changes.ts";
import type { MachineSurvey } from "../../../../src/commands/survey-machine.ts";
import { AGENT_PROGRAMS } from "../../../../src/runtimes/agent-programs.ts";

const HERE = { path: "/bin/claude", version: "1.0.0", isNewer: false, missingOptions: [], isLoggedIn: true };
const bare: MachineSurvey = {
	pi: { runs: false, why: "pi was not found", advice: "Install it." },
	programs: Object.values(AGENT_PROGRAMS).map((program) => ({ program, found: undefined })),
	credentials: [],
	sandbox: { works: true, reason: "works" },
	servers: [],
	parts: [],
};
const withClaude: MachineSurvey = {
	...bare,
	programs: [{ program: AGENT_PROGRAMS.claude, found: HERE }],
};
const context = createCommandContext({ cwd: "/", env: { HOME: "/nowhere" } });
const propose = (survey: MachineSurvey, installed: readonly string[] = []) =>
	proposeChanges(survey, context, (client) => installed.includes(client));

describe("deputize init proposes", () => {
	it("nothing where nothing is", () => {
		expect(propose(bare)).toEqual([]);
	});

	it("the program that is logged in as the runtime, where there is no other model", () => {
		expect(propose(withClaude)).toMatchObject([
			{ kind: "setting", path: ["subagents", "runtime"], value: "claude" },
			{ kind: "client", client: "claude" },
		]);
	});

	it("only what is not set, and no runtime beside pi or a key", () => {
		const keyed = { ...withClaude, credentials: [{ provider: "anthropic", source: "ANTHROPIC_API_KEY" }] };
		expect(propose(keyed, ["claude"])).toEqual([]);
		const decided = { ...context, config: { ...context.config } };
		decided.config.subagents = { ...context.config.subagents, runtime: "loop" };
		expect(proposeChanges(withClaude, decided, () => true)).toEqual([]);
	});

	it("no program that cannot be a child as the runtime", () => {
		const loggedOut = { ...HERE, isLoggedIn: false };
		const survey = { ...bare, programs: [{ program: AGENT_PROGRAMS.codex, found: loggedOut }] };
		expect(propose(survey)).toMatchObject([{ kind: "client", client: "codex" }]);
	});
});

describe("the next steps", () => {
	it("name a key where no model can be used, each advice once, and end with a question to ask", () => {
		const server = (id: string) => ({ id, languages: [], installed: false, installHint: "npm i x" });
		const steps = listNextSteps({ ...bare, servers: [server("html"), server("css")] });
		expect(steps[0]).toContain("ANTHROPIC_API_KEY");
		expect(steps.filter((step) => step.includes("npm i x"))).toHaveLength(1);
		expect(steps.at(-1)).toContain("deputize run explorer");
		expect(listNextSteps(withClaude)[0]).not.toContain("ANTHROPIC_API_KEY");
	});

	it.each([true, false])("offer pi the package unless it has it (%s)", (hasDeputize) => {
		const pi = { runs: true, version: "1.5.0", shown: "pi", hasDeputize } as const;
		expect(listNextSteps({ ...bare, pi }).includes("In pi: pi install npm:deputize")).toBe(!hasDeputize);
	});
});
