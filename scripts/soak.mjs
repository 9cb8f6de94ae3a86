// `npm run soak -- --minutes 10 [--seed N]`: delegates without pause, with a random fault each time and random
// SIGKILLs of children and of whole parents, then compares what is there with what was there at the beginning.
// `npm run soak -- batch`: see soak-batch.mjs.
// Needs the Node that came with the package; on another one it starts itself again with that one.
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledNode, root } from "./install-dependencies.mjs";

if (typeof globalThis.gc !== "function") {
	const again = spawnSync(
		bundledNode(),
		[
			"--expose-gc",
			"--disable-warning=ExperimentalWarning",
			fileURLToPath(new URL(process.argv[2] === "batch" ? "soak-batch.mjs" : "soak.mjs", import.meta.url)),
			...process.argv.slice(2),
		],
		{ stdio: "inherit" },
	);
	process.exit(again.status ?? 1);
}

const { delegate } = await import("../src/delegation/delegate.ts");
const { DEFAULT_CONFIG } = await import("../src/contract/config.ts");
const { sweepSessions } = await import("../src/sessions/sweep-sessions.ts");
const { startModelServer } = await import("../test/helpers/process-model-server.ts");

const option = (name, fallback) => {
	const at = process.argv.indexOf(`--${name}`);
	return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const minutes = option("minutes", 10);
const seed = option("seed", Date.now() % 1_000_000);
const CONCURRENCY = 4;
const WARM_UP_RUNS = 24;
const ORPHAN_LIMIT_MS = 5000;

let state = seed;
/** Mulberry32: the same seed gives the same faults. */
function random() {
	state = (state + 0x6d2b79f5) | 0;
	let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const place = realpathSync(mkdtempSync(join(tmpdir(), "deputize-soak-")));
const [home, project, agents, temporary, piTemporary] = ["home", "project", "agents", "tmp", "pi-tmp"].map(
	(name) => join(place, name),
);
for (const directory of [home, project, agents, temporary, piTemporary]) mkdirSync(directory);
process.env.TMPDIR = temporary;
const agentFile = (name, tools) => `---\nname: ${name}\ndescription: d\ntools: ${tools}\n---\nprobe\n`;
writeFileSync(join(agents, "prober.md"), agentFile("prober", "read, grep, ls"));
writeFileSync(join(agents, "runner.md"), agentFile("runner", "read, bash"));
const mark = randomUUID();
const environment = { PATH: process.env.PATH, HOME: home, PI_TEST_MARK: mark };
const posed = (name) => join(root, "test/fixtures/children/pi", `${name}.mjs`);
const realPi = join(root, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");

// One model for all real children: what it does next is drawn for every request.
const finish = { call: "subagent_finalize", args: { status: "SUCCESS", result: "done" } };
const server = await startModelServer(
	new Proxy([], {
		get: (steps, key) =>
			key === "length"
				? 1
				: key === "0"
					? pick([
							finish,
							finish,
							{ say: "thinking" },
							{ hang: "half" },
							{ reset: "ha" },
							{ status: 401, message: "no" },
							{ call: "bash", args: { command: "sleep 600" } },
							{ call: "read", args: { path: "." } },
						])
					: steps[key],
	}),
);
server.configure(join(home, ".pi/agent"));

/** Programs that pose as pi, and what each needs to come to an end soon. */
const SCENARIOS = [
	...[
		"good-run",
		"good-run",
		"echo-length",
		"silent-exit",
		"provider-error",
		"exit-after-answer",
		"leave-holder",
		"late-chunk",
		"close-stdin",
		"out-of-memory",
		"long-line",
	].map((program) => ({ program })),
	...[
		"answer-then-wait",
		"answer-then-ignore-sigterm",
		"answer-then-bash",
		"chatty",
		"plain-noise",
		"hang-before-start",
		"hold-session",
	].map((program) => ({ program, mustStop: true })),
	...["SIGSEGV", "SIGKILL", "SIGTERM"].map((signal) => ({
		program: "die-by-signal",
		env: { PI_TEST_SIGNAL: signal },
	})),
	{ program: "no-such-program" },
	...Array.from({ length: 4 }, () => ({ real: true, mustStop: true, agent: "prober" })),
	...Array.from({ length: 3 }, () => ({ real: true, mustStop: true, agent: "runner" })),
];

const tally = {
	delegations: 0,
	succeeded: 0,
	failed: 0,
	aborted: 0,
	timedOut: 0,
	childrenKilled: 0,
	parentsKilled: 0,
	parentsLeft: 0,
	real: 0,
	slowestOrphan: { ms: 0 },
};
const violations = [];

function carriesMark(pid, wanted) {
	try {
		return (
			readFileSync(`/proc/${pid}/environ`, "latin1").includes(wanted) &&
			!/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, ""))
		);
	} catch {
		return false;
	}
}
const runningWith = (wanted) =>
	readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid && carriesMark(pid, wanted));
/** The options of one run under a scenario; `runMark` tells its processes from those of the others. */
function describeRun(scenario, runMark) {
	const stopAfterMs = 300 + Math.floor(random() * 1500);
	return {
		subagents: {
			...DEFAULT_CONFIG.subagents,
			sandbox: random() < 0.5 ? "auto" : "off",
			allowWrite: scenario.agent === "runner",
			timeoutMs: scenario.mustStop && random() < 0.5 ? stopAfterMs + 1000 : 20_000,
			idleTimeoutMs: scenario.mustStop ? stopAfterMs + 1500 : 20_000,
		},
		model: scenario.real ? "local/scripted" : "posed/model",
		env: {
			PI_SUBAGENT_PI_BINARY: scenario.real ? realPi : posed(scenario.program),
			PI_TEST_RUN: runMark,
			...(scenario.real ? { TMPDIR: piTemporary } : {}),
			...scenario.env,
		},
		stopAfterMs,
	};
}

async function runHere(scenario) {
	const runMark = randomUUID();
	const { subagents, model, env, stopAfterMs } = describeRun(scenario, runMark);
	const controller = new AbortController();
	const timers = [];
	if (random() < 0.3) timers.push(setTimeout(() => controller.abort(), stopAfterMs));
	if (random() < 0.3) {
		timers.push(
			setTimeout(() => {
				const victim = pick(runningWith(runMark));
				if (victim === undefined) return;
				tally.childrenKilled += 1;
				process.kill(victim, "SIGKILL");
			}, Math.random() * 1200),
		);
	}
	const result = await delegate(
		{ agent: scenario.agent ?? "prober", task: "probe" },
		{
			cwd: project,
			agentsDirectories: [agents],
			model,
			config: { ...DEFAULT_CONFIG, subagents },
			env: { ...environment, ...env },
			signal: controller.signal,
		},
	);
	for (const timer of timers) clearTimeout(timer);
	tally.delegations += 1;
	if (scenario.real) tally.real += 1;
	if (!result.isError) tally.succeeded += 1;
	else if (result.details.error?.code === "SUBAGENT_TIMEOUT") tally.timedOut += 1;
	else if (/cancelled/.test(result.details.error?.message ?? "")) tally.aborted += 1;
	else tally.failed += 1;
	check(result, scenario, runMark);
}

function check(result, scenario, runMark) {
	const name = scenario.real ? `real pi as ${scenario.agent}` : scenario.program;
	const left = runningWith(runMark);
	if (left.length > 0) violations.push(`${name}: processes left ${left}`);
	if (!result.content[0]?.text) violations.push(`${name}: no text`);
	if (
		result.isError !==
		(result.details.error !== undefined && result.details.error.code !== "SUBAGENT_OUTPUT_TRUNCATED")
	)
		violations.push(`${name}: isError and error disagree`);
	if (result.isError && !result.details.error?.message)
		violations.push(`${name}: an error without a message`);
	if (scenario.program !== "no-such-program" && !result.details.sessionId)
		violations.push(`${name}: no session id`);
}

/** A parent of its own that is killed, or leaves, while its child works. */
async function runParent(scenario) {
	const runMark = randomUUID();
	const { subagents, model, env } = describeRun(scenario, runMark);
	const settings = { cwd: project, agents, model, until: "half", subagents, env };
	const ending = pick(["live", "live", "exit", "throw"]);
	const parent = spawn(
		process.execPath,
		[join(root, "test/fixtures/children/parent-of-delegation.mjs"), ending],
		{
			env: {
				...environment,
				TMPDIR: temporary,
				PI_TEST_RUN: runMark,
				PARENT_SETTINGS: JSON.stringify(settings),
			},
			stdio: "ignore",
		},
	);
	const exited = once(parent, "exit");
	// One that is to leave by itself does so at the first sign of its child; the others are killed at any time.
	await Promise.race([exited, pause(ending === "live" ? 400 + random() * 1500 : 10_000)]);
	if (parent.exitCode === null && parent.signalCode === null) {
		tally.parentsKilled += 1;
		parent.kill("SIGKILL");
	} else tally.parentsLeft += 1;
	await exited;
	const since = performance.now();
	while (runningWith(runMark).length > 0 && performance.now() - since < ORPHAN_LIMIT_MS) await pause(10);
	const goneMs = Math.round(performance.now() - since);
	if (goneMs > tally.slowestOrphan.ms) {
		const sandbox = subagents.sandbox === "auto" && !subagents.allowWrite;
		tally.slowestOrphan = {
			ms: goneMs,
			ending,
			child: scenario.program ?? `real pi as ${scenario.agent}`,
			sandbox,
		};
	}
	const left = runningWith(runMark).map((pid) => `${pid} ${safely(() => readlinkSync(`/proc/${pid}/exe`))}`);
	if (left.length > 0) violations.push(`parent ${ending}, ${scenario.program ?? "real pi"}: orphans ${left}`);
}

function safely(read) {
	try {
		return read();
	} catch {
		return "";
	}
}

const files = (directory, pattern) =>
	readdirSync(directory, { recursive: true }).filter((name) => pattern.test(name));

function measure() {
	for (let round = 0; round < 3; round++) globalThis.gc();
	const { heapUsed, rss, arrayBuffers } = process.memoryUsage();
	const megabytes = (bytes) => Math.round((bytes / 1024 / 1024) * 10) / 10;
	return {
		processes: runningWith(mark).length,
		temporaryFiles: readdirSync(temporary).length,
		locks: files(home, /\.lock/).length,
		descriptors: readdirSync("/proc/self/fd").length,
		listeners: ["exit", "SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection"].reduce(
			(sum, name) => sum + process.listenerCount(name),
			0,
		),
		childHandles: process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length,
		heapMb: megabytes(heapUsed + arrayBuffers),
		rssMb: megabytes(rss),
	};
}

/** Least squares over samples of [minutes, megabytes]. */
function slope(samples) {
	const mean = (index) => samples.reduce((sum, sample) => sum + sample[index], 0) / samples.length;
	const [x, y] = [mean(0), mean(1)];
	const spread = samples.reduce((sum, sample) => sum + (sample[0] - x) ** 2, 0);
	return spread === 0
		? 0
		: samples.reduce((sum, sample) => sum + (sample[0] - x) * (sample[1] - y), 0) / spread;
}

async function keepBusy(isOver) {
	while (!isOver()) {
		const scenario = pick(SCENARIOS);
		if (scenario.mustStop && random() < 0.35) await runParent(scenario);
		else await runHere(scenario);
	}
}

/** Pauses all work, so that only what was left is counted. */
async function settle() {
	await pause(500);
	// What a killed parent left is removed by the next run, and its lock by the daily sweep at the latest.
	await runHere({ program: "good-run" });
	sweepSessions({ home, maxAgeDays: 30, now: Date.now() + 2 * 24 * 60 * 60 * 1000 });
	// The scripted model remembers every request; that is not the memory we look at.
	server.requests.length = 0;
	await pause(200);
	return measure();
}

process.stdout.write(`soak: ${minutes} minutes, seed ${seed}\n`);
await Promise.all(
	Array.from({ length: CONCURRENCY }, () => keepBusy(() => tally.delegations >= WARM_UP_RUNS)),
);
const before = await settle();
const startedAt = performance.now();
const samples = [];
const rounds = Math.max(2, Math.round(minutes));
for (let round = 1; round <= rounds; round++) {
	const until = startedAt + (minutes * 60_000 * round) / rounds;
	await Promise.all(Array.from({ length: CONCURRENCY }, () => keepBusy(() => performance.now() >= until)));
	const sample = await settle();
	samples.push([(performance.now() - startedAt) / 60_000, sample.heapMb, sample.rssMb]);
	process.stdout.write(`${round}/${rounds} ${JSON.stringify({ ...tally, ...sample })}\n`);
}
// A lock whose writer was killed between making and filling it counts as held for ten seconds.
await pause(11_000);
const after = await settle();
await server.close();
rmSync(place, { recursive: true, force: true });

const counted = ["processes", "temporaryFiles", "locks", "listeners", "childHandles"];
for (const name of counted)
	if (after[name] > before[name]) violations.push(`${name}: ${before[name]} before, ${after[name]} after`);
if (after.descriptors > before.descriptors + 1)
	violations.push(`descriptors: ${before.descriptors} before, ${after.descriptors} after`);
process.stdout.write(
	`${JSON.stringify({ seed, minutes, tally, before, after, heapSlopeMbPerMinute: Math.round(slope(samples) * 1000) / 1000, rssSlopeMbPerMinute: Math.round(slope(samples.map(([x, , y]) => [x, y])) * 1000) / 1000, violations }, null, "\t")}\n`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
