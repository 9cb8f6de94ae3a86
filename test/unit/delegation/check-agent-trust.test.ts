import { describe, expect, it, vi } from "vitest";
import type { AgentDefinition } from "../../../src/contract/agent.ts";
import { checkAgentTrust, type TrustOptions } from "../../../src/delegation/check-agent-trust.ts";

const agent = (source: AgentDefinition["source"]): AgentDefinition => ({
	...{
		name: "explorer",
		description: "",
		prompt: "",
		readonly: false,
		tools: { kind: "default" },
		contentHash: "h",
	},
	...{ source, file: "/repo/.pi/agents/explorer.md", shadows: "builtin" },
});
const ask = (change: Partial<TrustOptions>): { options: TrustOptions; approve: ReturnType<typeof vi.fn> } => {
	const approve = vi.fn();
	return {
		approve,
		options: { policy: "confirm", projectTrust: undefined, isApproved: () => false, approve, ...change },
	};
};

describe("checkAgentTrust", () => {
	it.each(["builtin", "user"] as const)("lets %s agents run", async (source) => {
		await checkAgentTrust(agent(source), ask({ policy: "deny" }).options);
	});

	it.each([
		["the project is trusted", { projectTrust: true }],
		["this content was approved", { isApproved: () => true }],
		["the configuration allows it", { policy: "allow" as const }],
	])("lets a project agent run when %s", async (_why, change) => {
		await checkAgentTrust(agent("project"), ask(change).options);
	});

	it("asks once and remembers a yes", async () => {
		const { options, approve } = ask({ confirm: async () => true });
		await checkAgentTrust(agent("project"), options);
		expect(approve).toHaveBeenCalledOnce();
	});

	it.each([
		["there is nobody to ask", {}, "no one to ask"],
		["the person says no", { confirm: (): Promise<boolean> => Promise.resolve(false) }, "was not approved"],
		[
			"the project is not trusted",
			{ projectTrust: false, confirm: (): Promise<boolean> => Promise.resolve(true) },
			"not trusted",
		],
		[
			"the person puts it off",
			{ confirm: (): Promise<"not-now"> => Promise.resolve("not-now") },
			'the user said "not now", and can be asked again after their next message',
		],
		["the configuration forbids it", { policy: "deny" as const, projectTrust: true }, "is deny"],
	])("refuses a project agent when %s, with the remedy", async (_why, change, reason) => {
		const { options, approve } = ask(change);
		await expect(checkAgentTrust(agent("project"), options)).rejects.toMatchObject({
			code: "SUBAGENT_DISABLED",
			message: expect.stringContaining(reason),
		});
		await expect(checkAgentTrust(agent("project"), options)).rejects.toThrow(
			/It replaces the builtin agent.*\/trust/,
		);
		expect(approve).not.toHaveBeenCalled();
	});

	it("names the command that approves one file only where that would help", async () => {
		const approval = /deputize agents trust explorer/;
		await expect(checkAgentTrust(agent("project"), ask({}).options)).rejects.toThrow(approval);
		for (const change of [{ projectTrust: false }, { policy: "deny" as const }])
			await expect(checkAgentTrust(agent("project"), ask(change).options)).rejects.not.toThrow(approval);
	});

	it("names the option that takes the built-in agent where the door has one", async () => {
		const { options } = ask({ builtinOption: "--builtin" });
		await expect(checkAgentTrust(agent("project"), options)).rejects.toThrow(
			"--builtin runs that one instead",
		);
		await expect(checkAgentTrust(agent("project"), ask({}).options)).rejects.not.toThrow("--builtin");
	});
});
