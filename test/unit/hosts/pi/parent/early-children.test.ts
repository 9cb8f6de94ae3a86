import { describe, expect, it } from "vitest";
import type { EarlyChild } from "../../../../../src/delegation/early-child.ts";
import { createEarlyChildren, readCertainAgent } from "../../../../../src/hosts/pi/parent/early-children.ts";

function openEarlyChildren(limit = 4) {
	const started: string[] = [];
	const discarded: string[] = [];
	const early = createEarlyChildren({
		async start(agent) {
			started.push(agent);
			const child: EarlyChild = {
				claim: () => undefined,
				discard: async () => void discarded.push(agent),
			};
			return agent === "unknown" ? undefined : child;
		},
		mayStart: (waiting) => waiting < limit,
	});
	return { early, started, discarded };
}

const written = (contentIndex: number, agent: string) => ({
	contentIndex,
	arguments: { agent, task: "t" },
	complete: false,
});

describe("readCertainAgent", () => {
	it.each([
		["no field yet", {}, false, undefined],
		["an agent that may still grow", { agent: "expl" }, false, undefined],
		["an agent followed by another field", { agent: "explorer", task: "" }, false, "explorer"],
		["an agent after the task that may still grow", { task: "x", agent: "expl" }, false, undefined],
		["an agent at the end of a complete call", { task: "x", agent: "explorer" }, true, "explorer"],
		["a call that continues a session", { agent: "explorer", sessionId: "", task: "" }, false, undefined],
		["an agent that is no text", { agent: 7, task: "x" }, false, undefined],
		["an empty agent", { agent: "", task: "x" }, true, undefined],
	])("%s", (_case, fields, complete, expected) => {
		expect(readCertainAgent({ contentIndex: 0, arguments: fields, complete })).toBe(expected);
	});
});

describe("early children", () => {
	it("start once per call, however many fragments it has", () => {
		const { early, started } = openEarlyChildren();
		early.follow({ contentIndex: 1, arguments: { agent: "exp" }, complete: false });
		early.follow(written(1, "explorer"));
		early.follow(written(1, "explorer"));
		early.follow(written(2, "tester"));
		expect(started).toEqual(["explorer", "tester"]);
	});

	it("go to the call they were started for", async () => {
		const { early, discarded } = openEarlyChildren();
		early.follow(written(0, "explorer"));
		early.follow(written(1, "tester"));
		early.assign(
			new Map([
				[0, "a"],
				[1, "b"],
			]),
		);
		const child = await early.take("b");
		await child?.discard();
		expect(discarded).toEqual(["tester"]);
		expect(await early.take("b")).toBeUndefined();
	});

	it("are put down when the message ends without their call", async () => {
		const { early, discarded } = openEarlyChildren();
		early.follow(written(0, "explorer"));
		early.assign(new Map());
		await early.dropAll();
		expect(discarded).toEqual(["explorer"]);
	});

	it("are put down when their call ends without having taken them", async () => {
		const { early, discarded } = openEarlyChildren();
		early.follow(written(0, "explorer"));
		early.assign(new Map([[0, "a"]]));
		early.drop("a");
		await early.dropAll();
		expect(discarded).toEqual(["explorer"]);
	});

	it("never are more than fit", () => {
		const { early, started } = openEarlyChildren(2);
		for (const index of [0, 1, 2]) early.follow(written(index, `agent${index}`));
		expect(started).toEqual(["agent0", "agent1"]);
	});

	it("may not start at all, and then nothing is taken or put down", async () => {
		const { early, discarded } = openEarlyChildren();
		early.follow(written(0, "unknown"));
		early.assign(new Map([[0, "a"]]));
		expect(await early.take("a")).toBeUndefined();
		await early.dropAll();
		expect(discarded).toEqual([]);
	});

	it("that fail to start count as none", async () => {
		const early = createEarlyChildren({
			start: () => Promise.reject(new Error("no")),
			mayStart: () => true,
		});
		early.follow(written(0, "explorer"));
		early.assign(new Map([[0, "a"]]));
		expect(await early.take("a")).toBeUndefined();
	});
});
