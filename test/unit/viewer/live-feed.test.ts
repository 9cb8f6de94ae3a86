import { EventEmitter } from "node:events";
import { appendFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { journalFile } from "../../../src/journal/journal-file.ts";
import { runEventsFile } from "../../../src/journal/open-run-events.ts";
import { createRunIndex, type RunIndex } from "../../../src/runs/create-run-index.ts";
import type { RunSummary } from "../../../src/runs/run-summary.ts";
import { createLiveFeed, type LiveFeed } from "../../../src/viewer/create-live-feed.ts";
import { noteRun, second, toStart } from "../../helpers/noted-runs.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
let index: RunIndex;
let feed: LiveFeed;
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	home = createTestHome();
	index = createRunIndex(home.agentDirectory);
	feed = createLiveFeed(index, (runId) => runEventsFile(home.agentDirectory, runId));
});
afterEach(() => {
	feed.close();
	home.remove();
	vi.useRealTimers();
});

interface Heard {
	readonly event: string;
	readonly data: readonly RunSummary[];
}

/** A page that is open; returns how to ask for what it has heard since it was last asked. */
function openPage(runId?: string): {
	readonly response: ServerResponse;
	readonly hear: () => readonly Heard[];
} {
	let written = "";
	const response = Object.assign(new EventEmitter(), {
		writableLength: 0,
		write: (part: string) => (written += part),
		destroy: () => response.emit("close"),
	}) as unknown as ServerResponse;
	expect(feed.add(response, runId)).toBe(true);
	const hear = () => {
		vi.advanceTimersByTime(100);
		const heard = [...written.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(
			([, event = "", data = ""]): Heard => ({ event, data: JSON.parse(data) }),
		);
		written = "";
		return heard;
	};
	return { response, hear };
}

describe("the live feed", () => {
	it("tells a page that opens at once what it has to show", () => {
		noteRun(home.agentDirectory, toStart("a"));
		const written = vi.fn();
		const response = Object.assign(new EventEmitter(), {
			writableLength: 0,
			write: written,
			destroy: vi.fn(),
		});
		feed.add(response as unknown as ServerResponse, undefined);
		expect(written.mock.calls.map(([part]) => /event: (\w+)/.exec(part)?.[1])).toEqual([undefined, "runs"]);
	});

	it("tells every page of a change, also when an answer to another page has looked first", () => {
		const page = openPage();
		expect(page.hear()).toEqual([]);
		noteRun(home.agentDirectory, toStart("a"));
		index.refresh();
		expect(page.hear()).toMatchObject([{ event: "runs", data: [{ runId: "a", state: "running" }] }]);
		expect(page.hear()).toEqual([]);
	});

	it("tells a page of one run only of that run, of runs it started and of runs of its session", () => {
		const run = noteRun(home.agentDirectory, toStart("a", { sessionId: "s" }));
		const page = openPage("a");
		expect(page.hear().map(({ event }) => event)).toEqual(["runs", "events"]);
		noteRun(home.agentDirectory, toStart("stranger"));
		expect(page.hear()).toEqual([]);
		noteRun(home.agentDirectory, toStart("child", { parent: "run:a" }));
		expect(page.hear()).toMatchObject([{ data: [{ runId: "child" }] }]);
		noteRun(home.agentDirectory, toStart("sibling", { sessionId: "s" }));
		expect(page.hear()).toMatchObject([{ data: [{ runId: "sibling" }] }]);
		run.write({ type: "turn", at: 1 });
		expect(page.hear()).toEqual([{ event: "events", data: [{ type: "turn", at: 1 }] }]);
		run.end();
		expect(page.hear()).toMatchObject([
			{ event: "runs", data: [{ runId: "a", state: "done" }] },
			{ event: "events", data: [{ type: "end" }] },
		]);
	});

	it("names a hundred runs at most, as after a rotation, when all are new", () => {
		const page = openPage();
		for (let count = 0; count < 150; count += 1)
			noteRun(home.agentDirectory, toStart(`run${count}`, { time: second(count) })).end();
		page.hear();
		appendFileSync(journalFile(home.agentDirectory), `${"y".repeat(1024 * 1024)}\n`);
		noteRun(home.agentDirectory, toStart("new"));
		expect(page.hear()).toMatchObject([{ event: "runs", data: { length: 100 } }]);
	});

	it("takes twenty pages, looks only while one is open, and lets one go that does not read", () => {
		const pages = Array.from({ length: 20 }, () => openPage());
		expect(feed.add(new EventEmitter() as ServerResponse, undefined)).toBe(false);
		Object.assign(pages[0]?.response ?? {}, { writableLength: 5 * 1024 * 1024 });
		noteRun(home.agentDirectory, toStart("a"));
		expect(pages[1]?.hear()).toHaveLength(1);
		expect(pages[0]?.hear()).toEqual([]);
		const late = openPage();
		expect(vi.getTimerCount()).toBe(1);
		for (const { response } of [...pages, late]) response.emit("close");
		expect(vi.getTimerCount()).toBe(0);
	});
});
