import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../../src/contract/config.ts";
import {
	createAnticipation,
	type DescribedParent,
} from "../../../../../src/hosts/pi/parent/anticipate-delegation.ts";

/** What it did, in order. */
function anticipateWith(options: {
	readonly recent?: string;
	readonly tools?: readonly string[];
	readonly earlyStart?: boolean;
	readonly loadFails?: boolean;
}) {
	const done: string[] = [];
	const starter = {
		listAdvertised: () => [{ name: "explorer", description: "", mayWrite: false }],
		findRecentAgent: () => options.recent,
		parentDeathPrefix: () => [],
		describeDelegation: async ({ agent }: { agent: string }) => void done.push(`decide ${agent}`),
	};
	const anticipate = createAnticipation(
		{ getActiveTools: () => [...(options.tools ?? ["subagent"])] },
		{
			config: { ...DEFAULT_CONFIG.subagents, earlyStart: options.earlyStart ?? true },
			surroundings: { home: "/home/user", agentDirectory: "/home/user/.pi/agent" },
			describeParent: async () => ({ starter, parent: {} }) as unknown as DescribedParent,
			expect: (agent) => done.push(`expect ${agent}`),
			languageServers: {
				async load() {
					done.push("load language servers");
					if (options.loadFails) throw new Error("no room");
				},
			},
		},
	);
	return { done, anticipate: () => anticipate("hello", { cwd: "/project" } as ExtensionContext) };
}

describe("while the model thinks about its first answer", () => {
	it("everything a first call waits for is gone through and loaded, once", async () => {
		const { done, anticipate } = anticipateWith({});
		await anticipate();
		await anticipate();
		expect(done).toEqual(["decide explorer", "load language servers"]);
	});

	it("a child is expected where one was delegated to a moment ago", async () => {
		const { done, anticipate } = anticipateWith({ recent: "explorer" });
		await anticipate();
		expect(done).toEqual(["expect explorer"]);
	});

	it.each([
		["the tool is not active", { tools: ["read"] }],
		["nothing is to be started early", { earlyStart: false }],
	])("nothing happens where %s", async (_title, options) => {
		const { done, anticipate } = anticipateWith(options);
		await anticipate();
		expect(done).toEqual([]);
	});

	it("a failure is left to the call", async () => {
		await expect(anticipateWith({ loadFails: true }).anticipate()).resolves.toBeUndefined();
	});
});
