import { expect, it } from "vitest";
import { ToolError } from "../../../packages/ground/json/tool-error.ts";
import type { HostNeutralTool } from "../../../src/contract/tool.ts";
import { type FinishedCall, runTool } from "../../../src/toolbox/run-tool.ts";

const context = { cwd: "/", signal: new AbortController().signal };
const toolThat = (execute: HostNeutralTool["execute"]): HostNeutralTool => ({
	name: "probe",
	label: "Probe",
	description: "",
	parameters: {},
	execute,
});

async function call(execute: HostNeutralTool["execute"], input: unknown = {}) {
	const calls: FinishedCall[] = [];
	const outcome = await runTool(toolThat(execute), "web", (finished) => calls.push(finished)).execute(
		input,
		context,
	);
	return { outcome, calls };
}

it("turns a refusal into an outcome, and tells about the call once", async () => {
	const { outcome, calls } = await call(
		async () => {
			throw new ToolError("NOT_FOUND", "gone");
		},
		{ action: "hover", file: "a.ts", queries: ["x"], other: 1 },
	);
	expect(outcome).toMatchObject({ isError: true, text: "NOT_FOUND: gone" });
	expect(calls).toEqual([
		{
			tool: "probe",
			kind: "web",
			ok: false,
			code: "NOT_FOUND",
			durationMs: expect.any(Number),
			summary: 'hover ["x"] a.ts',
		},
	]);
});

it("prefers the summary of the outcome", async () => {
	const { calls } = await call(async () => ({ text: "", details: {}, isError: false, summary: "short" }), {
		path: "a",
	});
	expect(calls).toMatchObject([{ ok: true, summary: "short" }]);
	expect(calls[0]).not.toHaveProperty("code");
});

it("lets a bug through", async () => {
	await expect(call(async () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
});
