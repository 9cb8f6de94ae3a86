// How long 10,000 runs take to be shown, how large the page is, and whether the server's memory stays flat. Needs
// chromium. Prints one JSON object.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appendJournal } from "../../src/journal/append-journal.ts";
import { startChromium } from "../../test/helpers/chromium.ts";
import { toEnd, toStart } from "../../test/helpers/noted-runs.ts";
import { createTestHome } from "../../test/helpers/test-home.ts";

const RUNS = 10_000;
const ROUNDS = 200;
const root = fileURLToPath(new URL("../..", import.meta.url));
const home = createTestHome();
for (let index = 0; index < RUNS; index += 1) {
	const time = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
	const start = toStart(index.toString(16).padStart(8, "0"), { time, ...(index % 2 ? { batch: "b" } : {}) });
	appendJournal(home.agentDirectory, start);
	appendJournal(home.agentDirectory, toEnd(start));
}
const server = spawn(process.execPath, [join(root, "dist", "cli.js"), "view"], { env: home.env });
const address = String((await once(server.stdout, "data"))[0]).trim();
const residentMb = () =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
const browser = await startChromium();
const tab = await browser.openTab();
const shownMs: number[] = [];
for (let round = 0; round < 5; round += 1) {
	const startedAt = performance.now();
	await tab.open(address);
	await tab.until("document.querySelectorAll('a.row').length >= 100");
	shownMs.push(Math.round(performance.now() - startedAt));
}
const known = await tab.evaluate<number>('fetch("api/runs").then((r) => r.json()).then((p) => p.total)');
const before = residentMb();
const answersMs: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
	const startedAt = performance.now();
	await tab.evaluate(
		`fetch("api/runs?page=${round % 50}&text=task").then((r) => r.text()).then((t) => t.length)`,
	);
	answersMs.push(performance.now() - startedAt);
}
const after = residentMb();
const foreign = tab.requests.filter(
	(request) => !request.startsWith(new URL(address).origin) && request !== "about:blank",
);
await browser.close();
server.kill("SIGTERM");
await once(server, "exit");
home.remove();
const median = (values: number[]) =>
	Math.round(values.sort((left, right) => left - right)[values.length >> 1] ?? 0);
const pageBytes = ["view-page.js", "view-page.css"].reduce(
	(sum, name) => sum + statSync(join(root, "dist", name)).size,
	0,
);
console.log(
	JSON.stringify({
		...{
			runs: known,
			firstShownMs: shownMs[0],
			shownMs: median(shownMs),
			answerMs: median(answersMs),
			pageBytes,
		},
		...{
			residentMbBefore: Math.round(before),
			residentMbAfter: Math.round(after),
			foreignRequests: foreign.length,
		},
	}),
);
