// `npm run soak -- batch [--light] [--tasks 2000] [--rows embedded,redis,…]`: real batches of real delegations (the loop runtime, a scripted
// model that logs every request), while commands, workers and servers are killed. Each row of the table is one batch; what must be 0 fails
// the run. With `--light` a task is a request that its worker makes itself (soak-light.mjs): all rows of 2,000 tasks take six minutes then,
// and half an hour with a process for each task, on two quiet cores.
import { spawn } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { QUEUE_LIMITS } from "../src/batch/queue/queue-limits.ts";
import { startModelServer } from "../test/helpers/process-model-server.ts";
import { stopProcess } from "../test/helpers/queue-server.ts";
import { startPostgres } from "../test/helpers/start-postgres.ts";
import { startRedis } from "../test/helpers/start-redis.ts";
import { root } from "./install-dependencies.mjs";

const option = (name, fallback) => {
	const at = process.argv.indexOf(`--${name}`);
	return at === -1 ? fallback : process.argv[at + 1];
};
const tasks = Number(option("tasks", 2000));
const isLight = process.argv.includes("--light");
const AT_ONCE = 8;
/** Long enough for something to be in flight whenever something is killed. */
const ANSWER_MS = isLight ? 150 : 500;
/** Results that wait on the server for a collector that looks now and then. */
const UNCOLLECTED = AT_ONCE * Math.ceil(QUEUE_LIMITS.longestPollMs / ANSWER_MS);
const WORKERS = 2;
const LEASE_MS = 5000;
const SERVER_DOWN_MS = 4000;
const STOPPED_MS = 16_000;
const ROW_DEADLINE_MS = 5 * 60_000 + tasks * 5000;
/** What a request of the scripted model costs: 100 tokens in, 20 out. */
const PRICE = { env: "1000,1000", taskUsd: 0.12 };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const place = realpathSync(mkdtempSync(join(tmpdir(), "deputize-soak-batch-")));

/** Who asked how often, by the id that is in every task. */
let asked = new Map();
const model = await startModelServer(async (body) => {
	const id = /task-number-\d+/.exec(body)?.[0] ?? "";
	asked.set(id, (asked.get(id) ?? 0) + 1);
	await pause(ANSWER_MS);
	return { call: "subagent_finalize", args: { status: "SUCCESS", result: `answer to ${id}` } };
});

/** A machine of its own: a home that nothing else uses. */
function start(home, args) {
	mkdirSync(join(place, home), { recursive: true });
	const child = spawn(process.execPath, args, {
		cwd: join(place, "work"),
		env: {
			PATH: process.env.PATH,
			HOME: join(place, home),
			DEPUTIZE_LOOP_URL: `http://127.0.0.1:${model.port}/v1`,
			DEPUTIZE_LOOP_MODEL: "scripted",
			DEPUTIZE_LOOP_API_KEY: "not-a-secret",
			DEPUTIZE_LOOP_PRICE: PRICE.env,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => (said = `${said}${chunk}`.slice(-4000)));
	return { child, said: () => said, ended: new Promise((resolve) => child.once("exit", resolve)) };
}

/** Everything of this run, by its home, also what was adopted by init. */
const listLeft = () =>
	readdirSync("/proc").filter((pid) => {
		if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
		try {
			return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOME=${place}/`);
		} catch {
			return false;
		}
	});

function readLines(output) {
	if (!existsSync(output)) return [];
	return readFileSync(output, "utf8")
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line));
}

/**
 * One batch. Its faults are functions that happen when that share of its lines is there; what they end is started again. `inFlight` is
 * how many tasks may have been paid for a second time.
 */
async function runRow(
	name,
	{ openServer, faults, budgetUsd, expected = tasks, isDone = (code) => code === 0 },
) {
	asked = new Map();
	const output = join(place, `${name.replace(/\W+/g, "-")}.jsonl`);
	const server = await openServer?.();
	const row = { inFlight: 0, restarts: 0 };
	const workers = [];
	const startWorker = (index) => {
		workers[index] = start(`worker-${index}`, WAY.worker({ name: `w${index}`, queue: server.url }));
	};
	let collector;
	const startCollector = () => {
		collector = start("collector", WAY.batch({ output, budgetUsd, queue: server?.url }));
	};
	const kill = async ({ child }) => stopProcess(child, "SIGKILL");
	const does = {
		async killCommand() {
			row.inFlight += server ? 0 : AT_ONCE;
			await kill(collector);
			startCollector();
		},
		async interruptTwice() {
			row.inFlight += AT_ONCE;
			collector.child.kill("SIGINT");
			await pause(300);
			collector.child.kill("SIGINT");
			await collector.ended;
			startCollector();
		},
		async killWorker() {
			row.inFlight += AT_ONCE / WORKERS;
			await kill(workers[0]);
			startWorker(0);
		},
		async killAllWorkers() {
			row.inFlight += AT_ONCE;
			await Promise.all(workers.map(kill));
			for (const index of workers.keys()) startWorker(index);
		},
		/** Longer than its lease: what it then says comes too late. */
		async stopWorker() {
			row.inFlight += AT_ONCE / WORKERS;
			workers[0].child.kill("SIGSTOP");
			await pause(STOPPED_MS);
			workers[0].child.kill("SIGCONT");
		},
		async killServer() {
			// Without its log a server also forgets results that nobody has collected yet.
			row.inFlight += AT_ONCE + UNCOLLECTED;
			await server.kill();
			await pause(SERVER_DOWN_MS);
			await server.restart();
		},
	};
	const startedAt = Date.now();
	if (server) for (let index = 0; index < WORKERS; index += 1) startWorker(index);
	startCollector();
	const left = [...faults];
	let code = null;
	while (Date.now() - startedAt < ROW_DEADLINE_MS) {
		const [next] = left;
		const lines = readLines(output).length;
		if (next && lines >= (expected * (faults.length - left.length + 1)) / (faults.length + 1)) {
			left.shift();
			await does[next]();
		}
		if (collector.child.exitCode !== null) {
			code = collector.child.exitCode;
			break;
		}
		await pause(100);
	}
	const hangs = code === null;
	await stopProcess(collector.child, "SIGKILL");
	for (const { child } of workers) child.kill("SIGTERM");
	await Promise.race([Promise.all(workers.map(({ ended }) => ended)), pause(15_000)]);
	await server?.stop();
	await pause(2000);
	const processes = listLeft();
	const result = { ...count(readLines(output)), code, hangs, left: processes.length, inFlight: row.inFlight };
	for (const pid of processes) process.kill(Number(pid), "SIGKILL");
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	const spentUsd = [...asked.values()].reduce((sum, times) => sum + times, 0) * PRICE.taskUsd;
	const overUsd = budgetUsd === undefined ? undefined : Math.max(0, spentUsd - budgetUsd);
	const mostUsd = row.inFlight * PRICE.taskUsd;
	const problems = judge({ ...result, lost: expected < tasks ? 0 : result.lost }, isDone(code), left);
	// What a comma is off by is no task.
	if (overUsd > mostUsd + PRICE.taskUsd / 2) problems.push("over its budget");
	const over = overUsd === undefined ? "–" : `$${overUsd.toFixed(2)} (≤ $${mostUsd.toFixed(2)})`;
	process.stdout.write(
		`| ${name} | ${tasks} | ${result.lines} | ${result.lost} | ${result.double} | ${result.wrong} | ${result.failed} | ${result.paidTwice} (≤ ${row.inFlight}) | $${spentUsd.toFixed(2)} | ${over} | ${result.left} | ${seconds} s | ${problems.join("; ") || "–"} |\n`,
	);
	if (problems.length > 0)
		for (const { child, said } of [collector, ...workers])
			process.stderr.write(`${child.pid}, ${child.exitCode ?? child.signalCode ?? "left"}: ${said()}\n`);
	return problems;
}

function count(lines) {
	const ids = lines.map(({ id }) => id);
	return {
		lines: lines.length,
		lost: tasks - new Set(ids).size,
		double: ids.length - new Set(ids).size,
		wrong: lines.filter(({ id, status, answer = "" }) => status === "done" && answer !== `answer to ${id}`)
			.length,
		failed: lines.filter(({ status }) => status !== "done").length,
		paidTwice: [...asked.values()].reduce((sum, times) => sum + times - 1, 0),
	};
}

function judge(result, isEndRight, faultsLeft) {
	const { lost, double, wrong, failed, left, paidTwice, inFlight, hangs, code } = result;
	return [
		hangs ? "did not end" : !isEndRight && `ended with ${code}`,
		faultsLeft.length > 0 && `ended before ${faultsLeft.join(", ")}`,
		...Object.entries({ lost, double, wrong, failed, left }).map(
			([name, number]) => number > 0 && `${number} ${name}`,
		),
		paidTwice > inFlight && "paid twice for more than was in flight",
	].filter(Boolean);
}

/** How a command and a worker are started. */
const REAL = {
	worker: ({ name, queue }) => [
		...[
			join(root, "dist/cli.js"),
			"worker",
			"--queue",
			queue,
			"-j",
			String(AT_ONCE / WORKERS),
			"--name",
			name,
		],
		...["--workspace", `here=${join(place, "work")}`, "--agents", "explorer", "--lease-ms", String(LEASE_MS)],
	],
	batch: ({ output, budgetUsd, queue }) => [
		...[join(root, "dist/cli.js"), "batch", join(place, "in.jsonl"), "--agent", "explorer"],
		...["--runtime", "loop", "-o", output],
		...(budgetUsd === undefined ? [] : ["--budget-usd", String(budgetUsd)]),
		...(queue === undefined ? ["-j", String(AT_ONCE)] : ["--queue", queue, "--workspace", "here"]),
	],
};
const startLight = (kind, concurrency) => (given) => [
	"--disable-warning=ExperimentalWarning",
	join(root, "scripts/soak-light.mjs"),
	kind,
	JSON.stringify({
		...{ url: `http://127.0.0.1:${model.port}/`, taskUsd: PRICE.taskUsd, directory: join(place, "work") },
		...{ input: join(place, "in.jsonl"), concurrency, leaseMs: LEASE_MS, ...given },
	}),
];
const LIGHT = { worker: startLight("worker", AT_ONCE / WORKERS), batch: startLight("batch", AT_ONCE) };
const WAY = isLight ? LIGHT : REAL;

/** The one that takes long is last: what goes on meanwhile could be all the rest. */
const ALL_FAULTS = ["killWorker", "killCommand", "killServer", "killAllWorkers", "stopWorker"];
const ROWS = {
	embedded: () =>
		runRow("embedded, kill -9 × 4", { faults: ["killCommand", "killCommand", "killCommand", "killCommand"] }),
	redis: () =>
		runRow("Redis with its log", {
			openServer: () => startRedis(),
			faults: ALL_FAULTS,
		}),
	debian: () =>
		runRow("Redis as Debian has it", {
			openServer: () => startRedis({ keeps: "snapshots" }),
			faults: ["killServer", "killWorker", "killServer"],
		}),
	nothing: () =>
		runRow("Redis that keeps nothing", {
			openServer: () => startRedis({ keeps: "nothing" }),
			faults: ["killServer", "killCommand", "killServer"],
		}),
	postgres: () => runRow("PostgreSQL", { openServer: () => startPostgres(), faults: ALL_FAULTS }),
	/** For half of the tasks: what stopped and killed runs spent counts. */
	async budget() {
		const budgetUsd = (tasks / 2) * PRICE.taskUsd;
		return runRow("budget for half, stopped and killed", {
			faults: ["interruptTwice", "killCommand"],
			expected: tasks / 2,
			budgetUsd,
			isDone: (code) => code === 3,
		});
	},
};

mkdirSync(join(place, "work"));
writeFileSync(
	join(place, "in.jsonl"),
	Array.from({ length: tasks }, (_, index) =>
		JSON.stringify({ id: `task-number-${index}`, task: `Say something about task-number-${index}, please.` }),
	).join("\n"),
);
const wanted = option("rows", Object.keys(ROWS).join(",")).split(",");
const unknown = wanted.filter((name) => !Object.hasOwn(ROWS, name));
if (unknown.length > 0) throw new Error(`There is no row ${unknown}. Rows: ${Object.keys(ROWS)}`);
process.stdout.write(
	`${tasks} ${isLight ? "light tasks" : "tasks"} a row, ${AT_ONCE} at once, load ${loadavg()[0].toFixed(1)}\n\n| | tasks | lines | lost | double | wrong | failed wrongly | paid twice | paid | over budget | processes left | time | not as it should be |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n`,
);
let isBad = false;
try {
	for (const name of wanted) isBad = (await ROWS[name]()).length > 0 || isBad;
	process.stdout.write(
		`\n${isBad ? "Not as it should be" : "As it should be"}, ${Math.round(performance.now() / 1000)} s.\n`,
	);
} finally {
	await model.close();
	rmSync(place, { recursive: true, force: true });
}
process.exitCode = isBad ? 1 : 0;
