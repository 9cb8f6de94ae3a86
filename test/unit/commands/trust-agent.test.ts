import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { type ListedAgent, listAgents } from "../../../src/commands/list-agents.ts";
import { renderReport } from "../../../src/commands/render-report.ts";
import { trustAgent } from "../../../src/commands/trust-agent.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome({
		".pi/agents/explorer.md":
			"---\nname: explorer\ndescription: mine\ntools: read, bash\n---\nLook around.\n",
	});
});
afterEach(() => home.remove());

const context = (env: Record<string, string> = {}) =>
	createCommandContext({ cwd: home.project, env: { ...home.env, ...env } });
const stateOf = (wanted: string): string | undefined =>
	(listAgents(context()).data as { agents: readonly ListedAgent[] }).agents.find(
		({ name }) => name === wanted,
	)?.state;
const render = (report: ReturnType<typeof trustAgent>): string =>
	renderReport(report, { width: 200 }).join("\n");
const configure = (subagents: object): string =>
	home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ subagents }));

describe("trustAgent", () => {
	it("approves this content, and shows what was approved and how to take it back", () => {
		expect(stateOf("explorer")).toBe("needs your approval");
		const text = render(trustAgent("trust", "explorer", context()));
		expect(stateOf("explorer")).toBe("ready");
		for (const part of [
			"File: .pi/agents/explorer.md",
			"| Look around.",
			"Tools it gets: read",
			"does not get: bash",
			"replaces the builtin agent",
			"deputize agents untrust explorer",
		])
			expect(text).toContain(part);
		home.write(".pi/agents/explorer.md", "---\nname: explorer\ndescription: mine\n---\nSomething else.\n");
		expect(stateOf("explorer")).toBe("needs your approval");
	});

	it("takes it back, also after the file was changed, and says when there was nothing", () => {
		trustAgent("trust", "explorer", context());
		home.write(".pi/agents/explorer.md", "---\nname: explorer\ndescription: new\n---\nNew.\n");
		expect(render(trustAgent("untrust", "explorer", context()))).toContain("Taken back");
		expect(render(trustAgent("untrust", "explorer", context()))).toContain("nothing to take back");
		expect(stateOf("explorer")).toBe("needs your approval");
	});

	it("says why an agent still runs", () => {
		configure({ projectAgents: "allow" });
		expect(render(trustAgent("untrust", "explorer", context()))).toContain('projectAgents is "allow"');
		expect(render(trustAgent("untrust", "tester", context()))).toContain("builtin agent");
	});

	it("writes nothing for an agent that needs no approval", () => {
		expect(render(trustAgent("trust", "tester", context()))).toContain("needs no approval");
		expect(render(trustAgent("untrust", "tester", context()))).toContain("nothing to take back");
	});

	it("does not help against a refused project or a configuration that forbids it", () => {
		configure({ projectAgents: "deny" });
		expect(() => trustAgent("trust", "explorer", context())).toThrow("subagents.projectAgents");
		configure({});
		home.write(join(home.agentDirectory, "trust.json"), JSON.stringify({ [home.project]: false }));
		expect(() => trustAgent("trust", "explorer", context())).toThrow("not trusted");
		expect(() => trustAgent("trust", "nobody", context())).toThrow("Unknown agent: nobody");
	});

	it("is not for children: a shell of theirs must not decide", () => {
		expect(() => trustAgent("trust", "explorer", context({ PI_SUBAGENT_CHILD: "1" }))).toThrow(
			"A subagent cannot approve agents",
		);
		expect(stateOf("explorer")).toBe("needs your approval");
	});
});
