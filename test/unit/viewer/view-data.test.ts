import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSurroundings } from "../../../src/config/read-surroundings.ts";
import { appendJournal } from "../../../src/journal/append-journal.ts";
import { checkAsker } from "../../../src/viewer/check-asker.ts";
import { renderExport } from "../../../src/viewer/render-document.ts";
import { closeViewAddress, readRunAddress, writeViewAddress } from "../../../src/viewer/view-address.ts";
import { createViewData, type ViewData } from "../../../src/viewer/view-data.ts";
import { noteRun, second, toEnd, toStart } from "../../helpers/noted-runs.ts";
import type { TestHome } from "../../helpers/test-home.ts";
import { createViewHome } from "../../helpers/view-home.ts";

let home: TestHome;
let data: ViewData;
beforeEach(() => {
	home = createViewHome();
	data = createViewData(readSurroundings(home.env));
});
afterEach(() => home.remove());

describe("what the page shows", () => {
	it("lists runs in pages, those that go on first, with what they can be narrowed by", () => {
		for (let index = 0; index < 150; index += 1) {
			const start = toStart(`task${index}`, { time: second(index), batch: "b" });
			appendJournal(home.agentDirectory, start);
			appendJournal(home.agentDirectory, toEnd(start));
		}
		appendJournal(home.agentDirectory, toStart("going", { time: second(0), name: "tester" }));
		expect(data.runs({})).toMatchObject({ total: 159, page: 0, pages: 2, running: 1, runs: { length: 100 } });
		expect(data.runs({}).runs[0]).toMatchObject({ runId: "going", state: "running" });
		expect(data.runs({ page: 9 })).toMatchObject({ page: 1, runs: { length: 59 } });
		expect(data.runs({ single: true }).total).toBe(9);
		expect(data.runs({ agent: "tester", project: "~/code/shop" }).runs).toMatchObject([
			{ runId: "e0b85f13" },
		]);
		expect(data.runs({}).choices.projects).toEqual(["~/code/shop", "~/code/site"]);
		expect(JSON.stringify(data.runs({})).length).toBeLessThan(60_000);
	});

	it("sums what was spent", () => {
		const { total, agents, models, days } = data.spending();
		expect(total).toMatchObject({ runs: 8, failed: 2 });
		expect(total.costUsd).toBeCloseTo(0.571);
		expect(agents[0]).toMatchObject({ name: "explorer", runs: 4 });
		expect(models.map(({ name }) => name)).toContain("offline/navigator");
		expect(days).toHaveLength(1);
	});

	it("knows batches, their failures by kind, and pages of their tasks", async () => {
		expect(await data.batches()).toMatchObject([
			{ name: "questions.jsonl", total: 40, done: 37, failed: 3, missing: 0 },
			{
				name: "review.jsonl",
				output: "~/code/shop/review.jsonl",
				total: 120,
				done: 90,
				failed: 6,
				missing: 24,
			},
		]);
		const id = "2c5d0000-0000-4000-8000-000000000000";
		const failed = await data.batch(id, { status: "failed" });
		expect(failed?.failures).toMatchObject([
			{ code: "SUBAGENT_FAILED", cause: "overloaded", count: 3 },
			{ cause: "runtime", count: 3 },
		]);
		expect(failed).toMatchObject({
			template: "Review {path}",
			agents: ["reviewer"],
			models: ["anthropic/claude-haiku-4-5"],
			startedAt: "2026-01-02T03:04:05.000Z",
			costPerTaskUsd: expect.closeTo(0.0125),
			// Of 90 that are done the 45th and the 86th.
			p50Ms: 8000 + 47 * 137,
			p95Ms: 8000 + 91 * 137,
		});
		expect(failed).not.toHaveProperty("perMinute");
		expect((await data.batch(id, { text: "MODULE-9" }))?.tasks.map((task) => task.id)).toEqual(
			[95, 94, 93, 92, 91, 90, 9].map((number) => `src/module-${number}.ts`),
		);
		expect(await data.batch(id, { text: "529", status: "done" })).toMatchObject({ matching: 0, tasks: [] });
		expect(failed?.tasks).toHaveLength(6);
		expect(failed?.tasks[0]).toMatchObject({
			id: "src/module-90.ts",
			words: "The provider failed: 529 overloaded.",
		});
		expect(await data.batch("unknown", {})).toBeUndefined();
	});

	it("reads a long transcript while others are served", async () => {
		const line = (kind: string, more: object) =>
			JSON.stringify({ type: "message", timestamp: second(1), kind, ...more });
		const lines = Array.from({ length: 4000 }, (_, index) =>
			line("assistant", { text: `${index} ${"const path = join(root, name); ".repeat(60)}`, toolCalls: [] }),
		);
		const session = home.write("session.jsonl", lines.join("\n"));
		const run = noteRun(home.agentDirectory, toStart("long"), session);
		run.write({ type: "full", at: Date.parse(second(1)) });
		run.end();
		let served = 0;
		const others = setInterval(() => {
			served += 1;
		}, 0);
		const detail = await data.run("long");
		clearInterval(others);
		expect(detail?.entries.length).toBeGreaterThan(3000);
		expect(served).toBeGreaterThan(3);
	});

	it("exports a run so that nothing in it can leave the element it is in", async () => {
		const run = await data.run("3f2a91c0");
		if (!run) throw new Error("no run");
		const html = renderExport({ ...run, output: "</script><script>alert(1)" }, { script: "1", style: "b{}" });
		expect(html.match(/<script/g)).toHaveLength(2);
		expect(html).toContain("script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='");
	});
});

describe("who may ask", () => {
	const entries = new Map([
		["fresh", "new"],
		["spent", "used"],
	] as const);
	const lock = { port: 80, base: "/view-a/", session: "secret", entries };
	const ask = (headers: object, { path = "/view-a/", method = "GET" } = {}) =>
		checkAsker(
			{
				method,
				headers: { host: "127.0.0.1:80", cookie: "a=b; deputize_view=secret", ...headers },
			} as IncomingMessage,
			lock,
			new URL(path, "http://127.0.0.1"),
		)?.status;

	it.each([
		["the page itself", {}, {}, undefined],
		["localhost", { host: "localhost:80" }, {}, undefined],
		["another name", { host: "evil.example:80" }, {}, 421],
		["another port", { host: "127.0.0.1:81" }, {}, 421],
		["no name", { host: undefined }, {}, 421],
		["its own origin", { origin: "http://127.0.0.1:80" }, {}, undefined],
		["another origin", { origin: "http://127.0.0.1:81" }, {}, 403],
		["a file's origin", { origin: "null" }, {}, 403],
		["another method", {}, { method: "POST" }, 405],
		["another path", {}, { path: "/" }, 404],
		["no cookie", { cookie: undefined }, {}, 401],
		["a wrong cookie", { cookie: "deputize_view=secre" }, {}, 401],
		["the token of a new address", { cookie: undefined }, { path: "/view-a/?token=fresh" }, undefined],
		["the token of an address that was opened", { cookie: undefined }, { path: "/view-a/?token=spent" }, 401],
		["the same in the browser that opened it", {}, { path: "/view-a/?token=spent" }, undefined],
		["a token as a cookie", { cookie: "deputize_view=fresh" }, {}, 401],
		["the cookie as a token", { cookie: undefined }, { path: "/view-a/?token=secret" }, 401],
	])("%s", (_name, headers, request, status) => {
		expect(ask(headers, request)).toBe(status);
	});
});

it("names a run's address while a page is open, and never its token", () => {
	const address = "http://127.0.0.1:4123/view-0a1b/";
	expect(readRunAddress(home.agentDirectory, "r")).toBeUndefined();
	writeViewAddress(home.agentDirectory, address);
	expect(readRunAddress(home.agentDirectory, "r")).toBe(`${address}#/run/r`);
	closeViewAddress(home.agentDirectory, "http://127.0.0.1:9/view-0/");
	expect(readRunAddress(home.agentDirectory, "r")).toBeDefined();
	closeViewAddress(home.agentDirectory, address);
	expect(readRunAddress(home.agentDirectory, "r")).toBeUndefined();
	writeViewAddress(home.agentDirectory, "http://evil.example/");
	expect(readRunAddress(home.agentDirectory, "r")).toBeUndefined();
});
