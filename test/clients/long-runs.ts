// `npm run test:clients long`: a child that works longer than Codex and Gemini CLI wait for a call, with the limits that users
// have: answered with RUNNING before 300 s and 600 s, joined by the session id. Takes eleven minutes of waiting.
import { withHome } from "./client-home.ts";
import { selectDriver } from "./client-table.ts";
import { nothingLeft, runClient } from "./drive-client.ts";
import { type ClientStep, LAST_SESSION, startScriptedModel } from "./scripted-model.ts";
import { showPart, toTitle } from "./write-page-part.ts";

/** How long the child's model thinks, and when the call has to be answered. */
const ROWS = [
	{ name: "codex", childMs: 310_000, limitMs: 300_000, promisedMs: 280_000 },
	{ name: "gemini", childMs: 620_000, limitMs: 600_000, promisedMs: 570_000 },
] as const;
const SLACK_MS = 8000;

async function runLong({ name, childMs, limitMs, promisedMs }: (typeof ROWS)[number]): Promise<string> {
	const driver = selectDriver(name);
	const model = await startScriptedModel();
	const ask = { agent: "explorer", task: "Where is hello?" };
	const join = { calls: [{ ...ask, task: "wait", sessionId: LAST_SESSION }], unless: "**Status:** SUCCESS" };
	const steps: ClientStep[] = [{ calls: [ask] }, join, join, { text: "All done." }];
	const serverArgs = ["--idle-timeout-ms", String(2 * childMs)];
	try {
		return await withHome(model, { steps, child: { delayMs: childMs }, serverArgs }, async (home) => {
			const startedAt = performance.now();
			await runClient(home, driver.headless(home, "Find hello."), childMs + limitMs);
			const text = JSON.stringify(model.requests.at(-1) ?? {});
			// The second request of the model carries the answer of the first call.
			const [first = 0, second = Number.NaN] = model.requestTimes;
			const answeredMs = second - first;
			const problems = [
				...(text.includes("**Status:** RUNNING") ? [] : ["never answered with RUNNING"]),
				...(text.includes("**Status:** SUCCESS") ? [] : ["the answer was not joined"]),
				...(model.children.count === 1 ? [] : [`${model.children.count} children`]),
				...(answeredMs < promisedMs + SLACK_MS && answeredMs > promisedMs - SLACK_MS
					? []
					: ["not answered when it should have been"]),
				...((await nothingLeft(home)) ? [] : ["something is left"]),
			];
			const wholeMs = performance.now() - startedAt;
			if (problems.length > 0) process.exitCode = 1;
			return `| ${toTitle(driver)} | ${toSeconds(answeredMs)} | ${toSeconds(wholeMs)} | ${problems.join(", ") || "joined by its session id, one child, nothing left"} |`;
		});
	} finally {
		await model.close();
	}
}

const toSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

showPart("test:clients long", [
	"| | Answered with RUNNING after | Whole run | Seen |",
	"|---|---|---|---|",
	...(await Promise.all(ROWS.map(runLong))),
]);
