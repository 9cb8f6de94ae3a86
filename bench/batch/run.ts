// All figures of batches in one run: real delegations beside xargs, the overhead of a task that does nothing, and
// resuming. The lanes take turns within a round, so that a busy moment of the machine meets all of them.
// Prints Markdown and writes bench/results/batch.json. BENCH_ROUNDS (3), BENCH_TASKS (100), BENCH_QUEUED (10000).
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { runBatch } from "../../src/batch/run-batch.ts";
import {
	batchEnvironment,
	type createExecutor,
	finished,
	LANE_NAMES,
	openTestLane,
	requestTasks,
} from "../../test/helpers/batch-lanes.ts";
import { type QueueServer, stopProcess } from "../../test/helpers/queue-server.ts";
import { CLI } from "../../test/helpers/run-cli.ts";
import { startPostgres } from "../../test/helpers/start-postgres.ts";
import { startRedis } from "../../test/helpers/start-redis.ts";
import { median } from "../samples.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const TASKS = Number(process.env["BENCH_TASKS"] ?? 100);
const QUEUED = Number(process.env["BENCH_QUEUED"] ?? 10_000);
const AT_ONCE = 4;
const RECORD_BYTES = 2000;
type LaneName = (typeof LANE_NAMES)[number];

const root = mkdtempSync(join(tmpdir(), "deputize-bench-batch-"));

interface Spawned {
	readonly ended: Promise<void>;
	readonly child: ReturnType<typeof spawn>;
	output(): string;
}

function start(command: string, args: readonly string[], options: { cwd: string; input?: string }): Spawned {
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: batchEnvironment(root),
		stdio: ["pipe", "pipe", "pipe"],
	});
	let text = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
	child.stdin.end(options.input ?? "");
	const ended = new Promise<void>((resolve, reject) =>
		child.once("close", (code) =>
			code === 0 ? resolve() : reject(new Error(`exit ${code}: ${text.slice(-2000)}`)),
		),
	);
	return { child, ended, output: () => text };
}

/** A small project to ask about. */
function makeProject(): string {
	const project = join(root, "project");
	mkdirSync(join(project, "src"), { recursive: true });
	for (let file = 0; file < 20; file += 1) {
		const functions = Array.from(
			{ length: 5 },
			(_, index) => `export function handle${file}_${index}() {}\n`,
		);
		writeFileSync(join(project, "src", `module${file}.ts`), functions.join(""));
	}
	return project;
}

const questions = Array.from(
	{ length: TASKS },
	(_, index) => `Where is handle${index % 20}_${index % 5} defined? (${index})`,
);
const DELEGATION = ["--offline", "--runtime", "loop"];

async function timeXargs(project: string): Promise<number> {
	const startedAt = performance.now();
	const args = [
		"-d",
		"\n",
		"-P",
		String(AT_ONCE),
		"-I",
		"{}",
		process.execPath,
		CLI,
		"run",
		"explorer",
		"{}",
		"--quiet",
	];
	await start("xargs", [...args, ...DELEGATION], { cwd: project, input: `${questions.join("\n")}\n` }).ended;
	return performance.now() - startedAt;
}

async function timeBatch(
	project: string,
	round: number,
	name: LaneName,
	server?: QueueServer,
): Promise<number> {
	const workspace = ["--workspace", `project=${project}`, "--agents", "explorer", "-j", String(AT_ONCE)];
	const worker =
		server && start(process.execPath, [CLI, "worker", "--queue", server.url, ...workspace], { cwd: project });
	const startedAt = performance.now();
	const output = join(root, `real-${name}-${round}.jsonl`);
	const lane =
		server === undefined ? ["-j", String(AT_ONCE)] : ["--queue", server.url, "--workspace", "project"];
	const args = [
		CLI,
		"batch",
		"-",
		"--agent",
		"explorer",
		"--task",
		"{line}",
		"-o",
		output,
		...lane,
		...DELEGATION,
	];
	await start(process.execPath, args, { cwd: project, input: `${questions.join("\n")}\n` }).ended;
	const elapsed = performance.now() - startedAt;
	if (worker) {
		worker.ended.catch(() => undefined);
		await stopProcess(worker.child, "SIGTERM");
	}
	return elapsed;
}

async function measureReal(): Promise<Record<string, number[]>> {
	const project = makeProject();
	const redis = await startRedis();
	const postgres = await startPostgres();
	const times: Record<string, number[]> = { xargs: [], embedded: [], redis: [], postgres: [] };
	try {
		for (let round = 0; round < ROUNDS; round += 1) {
			times["xargs"]?.push(await timeXargs(project));
			times["embedded"]?.push(await timeBatch(project, round, "embedded"));
			times["redis"]?.push(await timeBatch(project, round, "redis", redis));
			times["postgres"]?.push(await timeBatch(project, round, "postgres", postgres));
			console.error(
				`round ${round + 1}:`,
				Object.values(times).map((all) => Math.round(all.at(-1) ?? 0)),
			);
		}
	} finally {
		await redis.stop();
		await postgres.stop();
	}
	return times;
}

interface Overhead {
	/** From the first task that started to the end. */
	readonly perTaskMs: number;
	/** Everything: checking, connecting, enqueueing, waiting for the worker to join. */
	readonly wholePerTaskMs: number;
}

async function measureOverhead(name: LaneName, count: number): Promise<Overhead> {
	const lane = await openTestLane(name);
	const directory = mkdtempSync(join(root, "noop-"));
	let firstAt = 0;
	const { execute } = createExecutorOnce(() => {
		firstAt ||= performance.now();
	});
	const worker = lane.startWorker(directory, execute);
	try {
		const startedAt = performance.now();
		const batch = runBatch(requestTasks(count), {
			...lane.options(directory, execute),
			output: join(directory, "out.jsonl"),
		});
		let records = 0;
		for await (const _record of batch) records += 1;
		if (records !== count) throw new Error(`${records} of ${count}`);
		const endedAt = performance.now();
		return { perTaskMs: (endedAt - firstAt) / count, wholePerTaskMs: (endedAt - startedAt) / count };
	} finally {
		await worker.stop();
		await lane.close();
	}
}

/** Without the helper's own list of what ran, which would be measured too. */
function createExecutorOnce(onFirst: () => void): Pick<ReturnType<typeof createExecutor>, "execute"> {
	const outcome = finished({ answer: "x".repeat(300) });
	return {
		async execute() {
			onFirst();
			return outcome;
		},
	};
}

/** In a process of its own, so that its memory is only that of resuming. */
const RESUME = `
const { runBatch } = await import(process.argv[1]);
const { directory, output, count } = JSON.parse(process.argv[2]);
const tasks = Array.from({ length: count }, (_, index) => ({ id: "t" + index, agent: "explorer", task: "Question " + index }));
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, turns: 1 };
const answer = "x".repeat(${RECORD_BYTES - 250});
const execute = async () => ({ kind: "finished", result: { status: "done", answer, usage, costUsd: 0, durationMs: 1 } });
const startedAt = performance.now();
let ran = 0;
for await (const _ of runBatch(tasks, { delegate: { cwd: directory, env: process.env, offline: true }, output, execute })) ran += 1;
console.log(JSON.stringify({ ms: performance.now() - startedAt, ran, maxRssMb: process.resourceUsage().maxRSS / 1024 }));
`;

async function measureResume(count: number): Promise<{ ms: number; maxRssMb: number }> {
	const directory = mkdtempSync(join(root, "resume-"));
	const input = JSON.stringify({ directory, output: join(directory, "out.jsonl"), count });
	const module = join(import.meta.dirname, "../../src/batch/run-batch.ts");
	const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", RESUME, module, input];
	await start(process.execPath, args, { cwd: directory }).ended;
	const again = start(process.execPath, args, { cwd: directory });
	await again.ended;
	const result = JSON.parse(again.output()) as { ms: number; ran: number; maxRssMb: number };
	if (result.ran !== 0) throw new Error(`${result.ran} tasks ran again`);
	return result;
}

try {
	const loadBefore = loadavg()[0];
	const overheads: Record<string, Record<string, Overhead>> = {};
	for (const name of LANE_NAMES) {
		overheads[name] = {};
		for (const count of [100, 1000, QUEUED]) overheads[name][count] = await measureOverhead(name, count);
		console.error(name, overheads[name]);
	}
	const resumes = { 1000: await measureResume(1000), [QUEUED]: await measureResume(QUEUED) };
	console.error(resumes);
	const real = await measureReal();
	const ratio = (name: string): string =>
		median((real[name] ?? []).map((time, round) => time / (real["xargs"]?.[round] ?? 1))).toFixed(2);
	const show = (name: string): string =>
		[100, 1000, QUEUED].map((count) => overheads[name]?.[count]?.perTaskMs.toFixed(3)).join(" | ");
	console.log(`| ${TASKS} real delegations (loop, offline), ${AT_ONCE} at once | seconds, each round | median ratio |
|---|---|---|
${Object.entries(real)
	.map(
		([name, all]) =>
			`| ${name} | ${all.map((time) => (time / 1000).toFixed(1)).join(", ")} | ${ratio(name)} |`,
	)
	.join("\n")}

| no-op task, ms from the first start | 100 | 1,000 | ${QUEUED} | ${QUEUED} with everything |
|---|---|---|---|---|
${LANE_NAMES.map((name) => `| ${name} | ${show(name)} | ${overheads[name]?.[QUEUED]?.wholePerTaskMs.toFixed(3)} |`).join("\n")}

| resume, records of ${RECORD_BYTES} bytes | seconds | highest memory, MB |
|---|---|---|
${Object.entries(resumes)
	.map(([count, { ms, maxRssMb }]) => `| ${count} | ${(ms / 1000).toFixed(2)} | ${maxRssMb.toFixed(0)} |`)
	.join("\n")}

Machine: ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}; load average ${loadBefore?.toFixed(1)} to ${loadavg()[0]?.toFixed(1)}.`);
	const results = join(import.meta.dirname, "../results");
	mkdirSync(results, { recursive: true });
	writeFileSync(
		join(results, "batch.json"),
		`${JSON.stringify({ real, overheads, resumes }, undefined, "\t")}\n`,
	);
} finally {
	rmSync(root, { recursive: true, force: true });
}
