import { describe, expect, it } from "vitest";
import type { DelegationResult, DelegationUpdate } from "../../../../../src/contract/result.ts";
import { createSessionRuns } from "../../../../../src/hosts/pi/parent/session-runs.ts";

const result = { isError: false, details: { mode: "single", results: [] } } as unknown as DelegationResult;
const update = { details: { runId: "r1" } } as unknown as DelegationUpdate;

describe("the runs of a session", () => {
	it("are stopped one at a time, with the reason", () => {
		const stopped: string[] = [];
		const runs = createSessionRuns(() => 5);
		for (const id of ["a", "b"]) {
			runs.open({ id, agent: "explorer", task: "t" }, { stop: (reason) => stopped.push(`${id}: ${reason}`) });
		}
		expect(runs.stop("b", "enough")).toBe(true);
		expect(stopped).toEqual(["b: enough"]);
		runs.end("b", result);
		expect(runs.stop("b", "again")).toBe(false);
		expect(runs.list()).toMatchObject([
			{ id: "a", startedAt: 5 },
			{ id: "b", result },
		]);
	});

	it("take messages only while their child can", () => {
		const sent: string[] = [];
		const runs = createSessionRuns();
		runs.open({ id: "a", agent: "explorer", task: "t" }, { stop: () => {} });
		expect(runs.send("a", "too early")).toBe(false);
		runs.offerMessages("a", (text) => sent.push(text) > 0);
		expect(runs.list()[0]?.takesMessages).toBe(true);
		expect(runs.send("a", "now")).toBe(true);
		runs.offerMessages("a", undefined);
		expect(runs.send("a", "too late")).toBe(false);
		expect(sent).toEqual(["now"]);
	});

	it("tell whoever watches of every change, until they have seen enough", () => {
		let changes = 0;
		const runs = createSessionRuns();
		const stop = runs.watch(() => (changes += 1));
		runs.open({ id: "a", agent: "explorer", task: "t" }, { stop: () => {} });
		runs.update("a", update);
		runs.end("a", result);
		expect(changes).toBe(3);
		runs.open({ id: "b", agent: "explorer", task: "t" }, { stop: () => {} });
		runs.forget("b");
		runs.forget("unknown");
		expect(changes).toBe(5);
		stop();
		runs.update("a", update);
		expect(changes).toBe(5);
	});

	it("that are over are kept in a bounded number, those at work always", () => {
		const runs = createSessionRuns();
		runs.open({ id: "working", agent: "explorer", task: "t" }, { stop: () => {} });
		for (let index = 0; index < 80; index += 1) {
			runs.open({ id: String(index), agent: "explorer", task: "t" }, { stop: () => {} });
			runs.end(String(index), result);
		}
		expect(runs.list()).toHaveLength(51);
		expect(runs.list()[0]?.id).toBe("working");
	});
});
