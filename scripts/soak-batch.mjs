// `npm run soak -- batch [--tasks 2000] [--rows embedded,redis,…]`: real batches of real delegations (the loop runtime, a scripted model that
// logs every request), while commands, workers and servers are killed. Each row of the table is one batch; what must be 0 fails the run.
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
const AT_ONCE = 8;
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
const model = await startModelServer((body) => {
	const id = /task-number-\d+/.exec(body)?.[0] ?? "";
	asked.set(id, (asked.get(id) ?? 0) + 1);
	return { call: "subagent_finalize", args: { status: "SUCCESS", result: `answer to ${id}` } };
});

/** A machine of its own: a home that nothing else uses. */
function start(home, args) {
	mkdirSync(join(place, home), { recursive: true });
	const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
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
async function runRow(name, { openServer, faults, extra = [], isDone = (code) => code === 0 }) {
	asked = new Map();
	const output = join(place, `${name.replace(/\W+/g, "-")}.jsonl`);
	const server = await openServer?.();
	const queue = server ? ["--queue", server.url] : [];
	const row = { inFlight: 0, restarts: 0 };
	const workers = [];
	const startWorker = (index) => {
		workers[index] = start(`worker-${index}`, [
			...["worker", ...queue, "-j", String(AT_ONCE / WORKERS), "--workspace", `here=${join(place, "work")}`],
			...["--agents", "explorer", "--name", `w${index}`, "--lease-ms", String(LEASE_MS)],
		]);
	};
	let collector;
	const startCollector = () => {
		collector = start("collector", [
			...[
				"batch",
				join(place, "in.jsonl"),
				"--agent",
				"explorer",
				"--runtime",
				"loop",
				"-o",
				output,
				...extra,
			],
			...(server ? [...queue, "--workspace", "here"] : ["-j", String(AT_ONCE)]),
		]);
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
			row.inFlight += 2 * AT_ONCE;
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
		if (next && lines >= (tasks * (faults.length - left.length + 1)) / (faults.length + 1)) {
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
	const problems = judge(result, isDone(code), left);
	process.stdout.write(
		`| ${name} | ${tasks} | ${result.lines} | ${result.lost} | ${result.double} | ${result.wrong} | ${result.failed} | ${result.paidTwice} (≤ ${row.inFlight}) | $${spentUsd.toFixed(2)} | ${result.left} | ${seconds} s | ${problems.join("; ") || "–"} |\n`,
	);
	if (problems.length > 0) process.stderr.write(`${collector.said()}\n`);
	return { ...result, problems, spentUsd };
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

const WORKER_FAULTS = ["killWorker", "killCommand", "killAllWorkers", "stopWorker"];
const ROWS = {
	embedded: () =>
		runRow("embedded, kill -9 × 4", { faults: ["killCommand", "killCommand", "killCommand", "killCommand"] }),
	redis: () =>
		runRow("Redis with its log", {
			openServer: () => startRedis(),
			faults: [...WORKER_FAULTS, "killServer"],
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
	postgres: () =>
		runRow("PostgreSQL", { openServer: () => startPostgres(), faults: [...WORKER_FAULTS, "killServer"] }),
	/** For half of the tasks: what stopped and killed runs spent counts. */
	async budget() {
		const budgetUsd = (tasks / 2) * PRICE.taskUsd;
		const result = await runRow("budget for half, stopped and killed", {
			faults: ["interruptTwice", "killCommand"].map((fault) => fault),
			extra: ["--budget-usd", String(budgetUsd)],
			isDone: (code) => code === 3,
		});
		const overUsd = result.spentUsd - budgetUsd;
		const problems = result.problems.filter((problem) => !/ lost$|^ended before/.test(problem));
		if (overUsd > result.inFlight * PRICE.taskUsd) problems.push(`$${overUsd.toFixed(2)} over the budget`);
		return { ...result, problems };
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
process.stdout.write(
	`${tasks} tasks a row, ${AT_ONCE} at once, load ${loadavg()[0].toFixed(1)}\n\n| | tasks | lines | lost | double | wrong | failed wrongly | paid twice | paid | processes left | time | not as it should be |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n`,
);
let isBad = false;
try {
	for (const name of wanted) isBad = (await ROWS[name]()).problems.length > 0 || isBad;
} finally {
	await model.close();
	rmSync(place, { recursive: true, force: true });
}
process.exitCode = isBad ? 1 : 0;
