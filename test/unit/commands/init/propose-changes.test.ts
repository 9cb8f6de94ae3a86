import { describe, expect, it } from "vitest";
import { createCommandContext } from "../../../../src/commands/command-context.ts";
import { listNextSteps, proposeChanges } from "../../../../src/commands/init/propose-changes.ts";
import type { MachineSurvey } from "../../../../src/commands/survey-machine.ts";
import type { RuntimeName } from "../../../../src/contract/agent.ts";
import { AGENT_PROGRAMS } from "../../../../src/runtimes/agent-programs.ts";

const HERE = {
	path: "/bin/claude",
	version: "1.0.0",
	isNewer: false,
	silence: undefined,
	missingOptions: [],
	isLoggedIn: true,
};
function decided(name: RuntimeName, model?: string): MachineSurvey["decision"] {
	const chosen = { why: "", isNamed: false, fallbacks: [], ...(model === undefined ? {} : { model }) };
	return { runtime: { name, why: "" }, model: chosen, address: undefined };
}
const bare: MachineSurvey = {
	pi: { runs: false, why: "pi was not found", advice: "Install it." },
	programs: Object.values(AGENT_PROGRAMS).map((program) => ({ program, found: undefined })),
	credentials: [],
	localServers: [],
	decision: decided("loop", "offline/navigator"),
	sandbox: { works: false, reason: "not looked at" },
	servers: [],
	parts: [],
};
const withClaude: MachineSurvey = {
	...bare,
	programs: [{ program: AGENT_PROGRAMS.claude, found: HERE }],
	decision: decided("claude"),
};
const withOllama: MachineSurvey = {
	...bare,
	localServers: [
		{
			service: "ollama",
			address: "http://127.0.0.1:11434/v1/chat/completions",
			keyFrom: null,
			models: ["qwen3:8b", "b"],
		},
	],
};
const context = createCommandContext({ cwd: "/", env: { HOME: "/nowhere" } });
const propose = (survey: MachineSurvey, installed: readonly string[] = []) =>
	proposeChanges(survey, context, (client) => installed.includes(client));

describe("deputize init proposes", () => {
	it("nothing where nothing is", () => {
		expect(propose(bare)).toEqual([]);
	});

	it("a server on this machine, where there is no other model", () => {
		expect(propose(withOllama)).toMatchObject([
			{ kind: "setting", path: ["models", "ollama", "model"], value: "qwen3:8b" },
		]);
		expect(propose({ ...withOllama, decision: decided("claude") })).toEqual([]);
	});

	it("its address too where only a variable has it", () => {
		const [found] = withOllama.localServers;
		const elsewhere = { ...found, service: "custom", address: "http://127.0.0.1:19123/v1/chat/completions" };
		expect(
			propose({ ...bare, localServers: [{ keyFrom: null, models: ["m"], ...elsewhere }] }),
		).toMatchObject([
			{ path: ["models", "custom"], value: { baseUrl: "http://127.0.0.1:19123/v1", model: "qwen3:8b" } },
		]);
	});

	it("only what is not set", () => {
		expect(propose(withClaude)).toMatchObject([{ kind: "client", client: "claude" }]);
		expect(propose(withClaude, ["claude"])).toEqual([]);
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
