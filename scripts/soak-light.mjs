// For soak-batch.mjs: a command or a worker whose tasks are one request each, made by itself instead of by a child. Everything else is
// what `deputize batch` and `deputize worker` run. argv: `batch` or `worker`, JSON.
import { readFileSync } from "node:fs";
import { runWorker } from "../src/batch/queue/run-worker.ts";
import { runBatch } from "../src/batch/run-batch.ts";

const [kind, json] = process.argv.slice(2);
const { url, taskUsd, queue, directory, ...given } = JSON.parse(json);
const drain = new AbortController();
const stop = new AbortController();
const leave = () => (drain.signal.aborted ? stop.abort() : drain.abort());
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, leave);
const onNotice = (line) => process.stderr.write(`${line}\n`);

async function execute({ task }, { signal, spentUsd, onSpent }) {
	const startedAt = performance.now();
	try {
		const response = await fetch(url, { method: "POST", body: task, signal });
		const answer = /answer to task-number-\d+/.exec(await response.text())?.[0] ?? "none";
		onSpent?.(spentUsd + taskUsd);
		const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, turns: 1 };
		const durationMs = Math.round(performance.now() - startedAt);
		return {
			kind: "finished",
			result: { status: "done", answer, usage, costUsd: spentUsd + taskUsd, durationMs },
		};
	} catch (error) {
		// Asked is paid, as it is by a provider.
		if (signal.aborted) return { kind: "stopped", costUsd: taskUsd };
		throw error;
	}
}

async function work() {
	const { name, concurrency, leaseMs } = given;
	const workspaces = new Map([["here", directory]]);
	const signals = { drain: drain.signal, stop: stop.signal };
	const shared = { queue, name, concurrency, leaseMs, workspaces, agents: ["explorer"], env: process.env };
	await runWorker({ ...shared, ...signals, onNotice, execute });
	return 0;
}

async function collect() {
	const { input, output, concurrency, budgetUsd } = given;
	const requests = readFileSync(input, "utf8")
		.split("\n")
		.map((line) => ({ ...JSON.parse(line), agent: "explorer" }));
	const batch = runBatch(requests, {
		delegate: { cwd: directory, env: process.env, offline: true },
		...{ output, budgetUsd, drain: drain.signal, signal: stop.signal, onNotice },
		...(queue === undefined ? { concurrency, execute } : { queue, workspace: "here" }),
	});
	for await (const _record of batch);
	const { stopped, failed } = batch.progress();
	if (stopped !== undefined) return stopped === "interrupted" ? 130 : 3;
	return failed > 0 ? 1 : 0;
}

process.exit(await (kind === "worker" ? work() : collect()));
