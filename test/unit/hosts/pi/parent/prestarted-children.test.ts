import { describe, expect, it } from "vitest";
import type { PrestartedChild } from "../../../../../src/delegation/prestarted-child.ts";
import {
	createPrestartedChildren,
	parseCertainAgent,
} from "../../../../../src/hosts/pi/parent/prestarted-children.ts";

function openPrestartedChildren(limit = 4) {
	const started: string[] = [];
	const discarded: string[] = [];
	const prestarted = createPrestartedChildren({
		async start(agent) {
			started.push(agent);
			const child: PrestartedChild = {
				claim: () => undefined,
				discard: async () => void discarded.push(agent),
			};
			return agent === "unknown" ? undefined : child;
		},
		mayStart: (waiting) => waiting < limit,
	});
	return { prestarted, started, discarded };
}

const written = (contentIndex: number, agent: string) => ({
	contentIndex,
	arguments: { agent, task: "t" },
	complete: false,
});

describe("parseCertainAgent", () => {
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
		expect(parseCertainAgent({ contentIndex: 0, arguments: fields, complete })).toBe(expected);
	});
});

describe("prestarted children", () => {
	it("start once per call, however many fragments it has", () => {
		const { prestarted, started } = openPrestartedChildren();
		prestarted.follow({ contentIndex: 1, arguments: { agent: "exp" }, complete: false });
		prestarted.follow(written(1, "explorer"));
		prestarted.follow(written(1, "explorer"));
		prestarted.follow(written(2, "tester"));
		expect(started).toEqual(["explorer", "tester"]);
	});

	it("go to the call they were started for", async () => {
		const { prestarted, discarded } = openPrestartedChildren();
		prestarted.follow(written(0, "explorer"));
		prestarted.follow(written(1, "tester"));
		prestarted.assign(
			new Map([
				[0, "a"],
				[1, "b"],
			]),
		);
		const child = await prestarted.take("b");
		await child?.discard();
		expect(discarded).toEqual(["tester"]);
		expect(await prestarted.take("b")).toBeUndefined();
	});

	it("are put down when the message ends without their call", async () => {
		const { prestarted, discarded } = openPrestartedChildren();
		prestarted.follow(written(0, "explorer"));
		prestarted.assign(new Map());
		await prestarted.dropAll();
		expect(discarded).toEqual(["explorer"]);
	});

	it("are put down when their call ends without having taken them", async () => {
		const { prestarted, discarded } = openPrestartedChildren();
		prestarted.follow(written(0, "explorer"));
		prestarted.assign(new Map([[0, "a"]]));
		prestarted.drop("a");
		await prestarted.dropAll();
		expect(discarded).toEqual(["explorer"]);
	});

	it("never are more than fit", () => {
		const { prestarted, started } = openPrestartedChildren(2);
		for (const index of [0, 1, 2]) prestarted.follow(written(index, `agent${index}`));
		expect(started).toEqual(["agent0", "agent1"]);
	});

	it("may not start at all, and then nothing is taken or put down", async () => {
		const { prestarted, discarded } = openPrestartedChildren();
		prestarted.follow(written(0, "unknown"));
		prestarted.assign(new Map([[0, "a"]]));
		expect(await prestarted.take("a")).toBeUndefined();
		await prestarted.dropAll();
		expect(discarded).toEqual([]);
	});

	it("that fail to start count as none", async () => {
		const prestarted = createPrestartedChildren({
			start: () => Promise.reject(new Error("no")),
			mayStart: () => true,
		});
		prestarted.follow(written(0, "explorer"));
		prestarted.assign(new Map([[0, "a"]]));
		expect(await prestarted.take("a")).toBeUndefined();
	});
});
