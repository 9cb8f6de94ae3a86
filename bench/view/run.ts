// How long 10,000 runs take to be shown, how large the page is, how soon each event of a run is in it, and whether the
// server's memory stays flat. Needs chromium. Prints one JSON object.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appendJournal } from "../../src/journal/append-journal.ts";
import { startChromium } from "../../test/helpers/chromium.ts";
import { connectDevtools } from "../../test/helpers/connect-devtools.ts";
import { toEnd, toStart } from "../../test/helpers/noted-runs.ts";
import { createViewHome } from "../../test/helpers/view-home.ts";
import { median } from "../samples.ts";
import { measureLive } from "./measure-live.ts";
import { measureMemory } from "./measure-memory.ts";

const RUNS = 10_000;
const ANSWERS = 200;
const root = fileURLToPath(new URL("../..", import.meta.url));
const home = createViewHome();
for (let index = 0; index < RUNS; index += 1) {
	const time = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
	const start = toStart(index.toString(16).padStart(8, "0"), { time, ...(index % 2 ? { batch: "b" } : {}) });
	appendJournal(home.agentDirectory, start);
	appendJournal(home.agentDirectory, toEnd(start));
}
const cli = join(root, "dist", "cli.js");
const server = spawn(process.execPath, ["--inspect=127.0.0.1:0", cli, "view"], { env: home.env });
const browser = await startChromium();

async function measure() {
	const [[announced], [printed]] = await Promise.all([
		once(server.stderr, "data"),
		once(server.stdout, "data"),
	]);
	const address = String(printed).trim();
	const inspector = await connectDevtools(/ws:\S+/.exec(String(announced))?.[0] ?? "");
	const tab = await browser.openTab();
	const shownMs: number[] = [];
	for (let round = 0; round < 5; round += 1) {
		const startedAt = performance.now();
		await tab.open(address);
		await tab.until("document.querySelectorAll('a.row').length >= 100");
		shownMs.push(performance.now() - startedAt);
	}
	const runs = await tab.evaluate<number>('fetch("api/runs").then((r) => r.json()).then((p) => p.total)');
	const answersMs: number[] = [];
	for (let round = 0; round < ANSWERS; round += 1) {
		const startedAt = performance.now();
		await tab.evaluate(`fetch("api/runs?page=${round % 50}&text=task").then((r) => r.text()).then(() => 0)`);
		answersMs.push(performance.now() - startedAt);
	}
	const live = await measureLive(tab, home.agentDirectory);
	const { origin } = new URL(address);
	const foreign = tab.requests.filter((request) => !request.startsWith(origin) && request !== "about:blank");
	// The address is used up; what the browser got for it is not.
	const { cookies } = (await tab.send("Network.getCookies")) as {
		cookies: { name: string; value: string }[];
	};
	const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
	await tab.close();
	const memory = await measureMemory(
		(path) => fetch(new URL(path, address), { headers: { cookie } }),
		inspector,
	);
	await inspector.disconnect();
	return { runs, shownMs, answersMs, live, foreignRequests: foreign.length, memory };
}

async function measureAndClose(): ReturnType<typeof measure> {
	try {
		return await measure();
	} finally {
		const ended = once(server, "exit");
		server.kill("SIGTERM");
		await Promise.all([browser.close(), ended]);
		home.remove();
	}
}

const { runs, shownMs, answersMs, live, foreignRequests, memory } = await measureAndClose();
const toMs = (values: readonly number[]) => Math.round(median(values));
const summarize = (values: readonly number[]) => ({ median: toMs(values), most: Math.max(...values) });
const pageBytes = ["view-page.js", "view-page.css"].reduce(
	(sum, name) => sum + statSync(join(root, "dist", name)).size,
	0,
);
const report = {
	runs,
	firstShownMs: Math.round(shownMs[0] ?? 0),
	shownMs: toMs(shownMs),
	answerMs: toMs(answersMs),
	pageBytes,
	foreignRequests,
	liveMs: summarize(Object.values(live).flat()),
	liveMsByEvent: Object.fromEntries(Object.entries(live).map(([name, values]) => [name, summarize(values)])),
	memory,
	load: loadavg()[0],
};
console.log(JSON.stringify(report, undefined, 2));
