// One run, same machine, interleaved: every variant is measured once per round, so that a busy moment of the
// machine meets all of them. Prints a Markdown table and writes bench/results/delegation.json.
// On a busy machine give it priority: chrt -r 1 node run.ts
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { DEFAULT_CONFIG, type SubagentsConfig } from "../../src/contract/config.ts";
import { createPiHome, EXTENSION, MODEL, PI_SCRIPT, type PiHome } from "../../test/helpers/pi-door-home.ts";
import { stagePackage } from "../../test/helpers/pi-door-package.ts";
import {
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../../test/helpers/pi-door-provider.ts";
import { median } from "../samples.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 9);
/** Arguments as a large model writes them, and as a fast one does. */
const STREAM_TIMES_MS = (process.env["BENCH_STREAM_MS"] ?? "750,50").split(",").map(Number);
/** Each session delegates so often; what a first call pays for once, the others do not. */
const CALLS = Number(process.env["BENCH_CALLS"] ?? 3);
/** From a request to the first word of a call: a model reads and thinks. */
const THINKING_MS = 1000;
/** A compiled clone of another version, to be measured beside this one. */
const BEFORE = process.env["BENCH_BEFORE"];
/** They are to be told apart to a hundredth, and one cold start differs from the next by a tenth. */
const COLD_STARTS = Number(process.env["BENCH_COLD_STARTS"] ?? 3);
const TASK = "CHILD-TASK: say in one word whether the file README.md exists.";
const HERE = import.meta.dirname;
const PI_PACKAGE = join(dirname(PI_SCRIPT), "..", "..");

interface Variant {
	readonly name: string;
	readonly extension?: string;
	readonly call?: { readonly name: string; readonly arguments: unknown };
	readonly prepare?: (home: PiHome) => void;
	/** Before each session. */
	readonly reset?: (home: PiHome) => void;
}

const AGENT = "---\nname: worker\ndescription: Works\ntools: read, grep, find, ls\n---\nYou work.\n";
const writeAgent = (home: PiHome): void => void home.write("home/.pi/agent/agents/worker.md", AGENT);

function findExtension(name: string): string | undefined {
	const directory = join(HERE, "node_modules", name);
	if (!existsSync(join(directory, "package.json"))) return undefined;
	const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
		version: string;
		pi: { extensions: string[] };
	};
	return join(directory, manifest.pi.extensions[0] ?? "");
}

function describeVersion(name: string): string {
	const file = join(HERE, "node_modules", name, "package.json");
	return `${name} ${(JSON.parse(readFileSync(file, "utf8")) as { version: string }).version}`;
}

function listVariants(): readonly Variant[] {
	const call = { name: "subagent", arguments: { agent: "worker", task: TASK } };
	const variants: Variant[] = [
		{ name: "no extension" },
		{ name: "deputize", extension: EXTENSION, call, prepare: writeAgent },
		{
			// Without it every round but the first comes after a delegation in the same project, and a child is started at its prompt.
			name: "deputize, no delegation in this project before",
			extension: EXTENSION,
			call,
			prepare: writeAgent,
			reset: (home) => rmSync(join(home.home, ".pi", "subagent-sessions"), { recursive: true, force: true }),
		},
		{
			name: "deputize, nothing started ahead",
			extension: EXTENSION,
			call,
			prepare(home) {
				writeAgent(home);
				const subagents = { earlyStart: false, keepWarm: 0 };
				home.write("home/.pi/agent/deputize.json", JSON.stringify({ subagents }));
			},
		},
		{
			name: "pi's example",
			extension: join(PI_PACKAGE, "examples/extensions/subagent/index.ts"),
			call,
			prepare: writeAgent,
		},
	];
	if (BEFORE) {
		const { extension } = stagePackage(BEFORE, "staged-before");
		variants.push({ name: "deputize, before", extension, call, prepare: writeAgent });
	}
	const nicobailon = findExtension("pi-subagents");
	if (nicobailon) {
		variants.push({
			name: describeVersion("pi-subagents"),
			extension: nicobailon,
			call: { name: "subagent", arguments: { agent: "worker", task: TASK, async: false } },
			prepare: writeAgent,
		});
	}
	const tintinweb = findExtension("@tintinweb/pi-subagents");
	if (tintinweb) {
		variants.push({
			name: describeVersion("@tintinweb/pi-subagents"),
			extension: tintinweb,
			call: {
				name: "Agent",
				arguments: { subagent_type: "Explore", description: "look", prompt: TASK, run_in_background: false },
			},
		});
	}
	return variants;
}

function isChildRequest(request: ScriptedRequest): boolean {
	return request.messages.some(
		(message) => message.role === "user" && JSON.stringify(message.content).includes("CHILD-TASK"),
	);
}

interface Sample {
	/** Inside the tool: the first call of the session, and the median of the others. */
	readonly firstMs?: number;
	readonly laterMs?: number;
	readonly startMs: number;
	readonly bytes: number;
	readonly parentMb: number;
	readonly childMb: number;
	readonly failed: boolean;
}

async function measure(
	variant: Variant,
	home: PiHome,
	provider: { requests: ScriptedRequest[] },
): Promise<Sample> {
	const probeFile = join(home.root, "probe.json");
	const extensions = [join(HERE, "probe.js"), ...(variant.extension ? [variant.extension] : [])];
	const args = [
		"--mode",
		"json",
		"-p",
		"--no-session",
		"--model",
		MODEL,
		...extensions.flatMap((file) => ["-e", file]),
	];
	provider.requests.length = 0;
	variant.reset?.(home);
	const startedAt = performance.now();
	const child = spawn(process.execPath, [PI_SCRIPT, ...args], {
		cwd: home.project,
		env: { ...asUsersHaveIt(home.env), BENCH_PROBE_FILE: probeFile },
		stdio: ["pipe", "pipe", "ignore"],
	});
	child.stdin.end("go");
	let childMb = 0;
	const watch = setInterval(() => {
		childMb = Math.max(childMb, readChildMemory(home.root, child.pid ?? 0));
	}, 100);
	let output = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		output += chunk;
	});
	await new Promise((resolve) => child.on("close", resolve));
	clearInterval(watch);
	const facts = JSON.parse(readFileSync(probeFile, "utf8")) as { toolMs: number[]; maxRssMb: number };
	const first = provider.requests[0];
	const succeeded = output.match(/"type":"tool_execution_end".*"isError":false/g)?.length ?? 0;
	const failed = variant.call !== undefined && succeeded < CALLS;
	const [firstMs, ...laterMs] = facts.toolMs;
	return {
		...(firstMs === undefined ? {} : { firstMs, laterMs: median(laterMs) }),
		startMs: (first?.receivedAt ?? Number.NaN) - startedAt,
		bytes: first?.bytes ?? Number.NaN,
		parentMb: facts.maxRssMb,
		childMb,
		failed,
	};
}

/** Tests share one cache of compiled code; users have what pi and each extension make of it. */
function asUsersHaveIt({
	NODE_COMPILE_CACHE: _,
	...env
}: PiHome["env"]): Omit<PiHome["env"], "NODE_COMPILE_CACHE"> {
	return env;
}

/** The largest of the other processes that were started with this home. */
function readChildMemory(root: string, parent: number): number {
	const sizes = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== parent)
		.map((pid) => {
			try {
				if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(root)) return 0;
				return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
			} catch {
				return 0;
			}
		});
	return Math.max(0, ...sizes);
}

/**
 * A whole cold child: ours as `delegate` starts it, and bare pi with the same flags and nothing of ours, without any
 * extension and with one that does nothing.
 */
async function measureCold(
	home: PiHome,
	round: number,
): Promise<Record<"bare" | "withExtension" | "ours" | "confined", number>> {
	const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");
	const env = { ...asUsersHaveIt(home.env), PI_SUBAGENT_PI_BINARY: PI_SCRIPT };
	const run = async (sandbox: SubagentsConfig["sandbox"]): Promise<number> => {
		const config = { ...DEFAULT_CONFIG, subagents: { ...DEFAULT_CONFIG.subagents, sandbox } };
		const startedAt = performance.now();
		const result = await delegate(
			{ agent: "worker", task: TASK },
			{ cwd: home.project, env, model: MODEL, config },
		);
		if (result.isError) throw new Error(`A cold child failed: ${JSON.stringify(result)}`);
		return performance.now() - startedAt;
	};
	const bare = async (extensions: readonly string[]): Promise<number> => {
		const flags = [
			"--mode",
			"json",
			"-p",
			"--session",
			join(home.root, `bare-${Math.random()}.jsonl`),
			"--system-prompt",
			"You work.",
		];
		const rest = [
			"--model",
			MODEL,
			"--tools",
			"read,grep,find,ls",
			"--no-extensions",
			"--no-skills",
			"--no-prompt-templates",
			"--no-themes",
			"--no-approve",
		];
		const startedAt = performance.now();
		const child = spawn(process.execPath, [PI_SCRIPT, ...flags, ...rest, ...extensions], {
			cwd: home.project,
			env,
			stdio: ["pipe", "pipe", "ignore"],
		});
		child.stdin.end(TASK);
		child.stdout.resume();
		await new Promise((resolve) => child.on("exit", resolve));
		return performance.now() - startedAt;
	};
	const measures = {
		bare: () => bare([]),
		withExtension: () => bare(["-e", home.write("empty-extension.js", "export default () => {};\n")]),
		ours: () => run("off"),
		confined: () => run("auto"),
	};
	const times = { bare: 0, withExtension: 0, ours: 0, confined: 0 };
	// Which one comes after which is a matter of chance too: each comes first equally often.
	const names = Object.keys(times) as (keyof typeof times)[];
	for (let place = 0; place < names.length; place += 1) {
		const name = names[(place + round) % names.length] ?? "bare";
		times[name] = await measures[name]();
	}
	return times;
}

/** While working on something: only those whose name has this in it, beside no extension. */
const WANTED = process.env["BENCH_VARIANTS"]?.split(",") ?? [""];
const variants = listVariants().filter(
	({ name }) => name === "no extension" || WANTED.some((part) => name.includes(part)),
);
let streamMs = STREAM_TIMES_MS[0] ?? 0;
let current: Variant | undefined;
const provider = await startScriptedProvider((request): ScriptedTurn => {
	if (isChildRequest(request)) {
		return request.isChild
			? { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "No." } }] }
			: { text: "No." };
	}
	return request.turn < CALLS && current?.call
		? { calls: [current.call], streamMs, delayMs: THINKING_MS }
		: { text: "Done." };
});
const homes = new Map(
	variants.map((variant) => {
		const home = createPiHome(provider.baseUrl, { waitingChildren: true });
		variant.prepare?.(home);
		return [variant.name, home];
	}),
);
const coldHome = createPiHome(provider.baseUrl, { waitingChildren: true });
writeAgent(coldHome);
const nameRow = (name: string, time: number): string => `${name}, ${time} ms`;
const samples = new Map<string, Sample[]>(
	variants.flatMap(({ name }) => STREAM_TIMES_MS.map((time) => [nameRow(name, time), []])),
);
const cold: Awaited<ReturnType<typeof measureCold>>[] = [];
const loads: number[] = [];
// The first round fills the caches of Node and of pi's loader and is not counted.
for (let round = 0; round <= ROUNDS; round += 1) {
	for (const variant of variants) {
		for (const time of STREAM_TIMES_MS) {
			current = variant;
			streamMs = time;
			const home = homes.get(variant.name);
			if (!home) continue;
			const sample = await measure(variant, home, provider);
			if (round > 0) samples.get(nameRow(variant.name, time))?.push(sample);
		}
	}
	for (let time = 0; time < COLD_STARTS; time += 1) {
		const sample = await measureCold(coldHome, cold.length);
		if (round > 0) cold.push(sample);
	}
	loads.push(loadavg()[0] ?? 0);
	process.stderr.write(`round ${round} of ${ROUNDS}, load ${loads.at(-1)?.toFixed(1)}\n`);
}
const column = (name: string, time: number, pick: (sample: Sample) => number | undefined): number =>
	median((samples.get(nameRow(name, time)) ?? []).map((sample) => pick(sample) ?? Number.NaN));
const show = (value: number, unit: string): string =>
	Number.isFinite(value) ? `${Math.round(value)}${unit}` : "–";
const [large = 0] = STREAM_TIMES_MS;
const rows = variants.map(({ name }) => {
	const failures = STREAM_TIMES_MS.flatMap((time) => samples.get(nameRow(name, time)) ?? []).filter(
		(sample) => sample.failed,
	).length;
	const times = STREAM_TIMES_MS.flatMap((time) => [
		show(
			column(name, time, (sample) => sample.firstMs),
			" ms",
		),
		show(
			column(name, time, (sample) => sample.laterMs),
			" ms",
		),
	]);
	const over = (pick: (sample: Sample) => number): number =>
		column(name, large, pick) - column("no extension", large, pick);
	const isBare = name === "no extension";
	const memory = [(sample: Sample) => sample.parentMb, (sample: Sample) => sample.childMb]
		.map((pick) => show(column(name, large, pick), ""))
		.join(" + ");
	return `| ${[
		`${name}${failures ? ` (${failures} failed)` : ""}`,
		...times,
		isBare
			? "–"
			: `+${show(
					over((sample) => sample.startMs),
					" ms",
				)}`,
		isBare
			? "–"
			: `+${show(
					over((sample) => sample.bytes),
					"",
				)}`,
		memory,
	].join(" | ")} |`;
});
const coldMedian = (name: keyof (typeof cold)[number]): string =>
	show(median(cold.map((sample) => sample[name])), " ms");
const coldRatio = (floor: "bare" | "withExtension"): string =>
	`${median(cold.map((sample) => sample.ours / sample[floor])).toFixed(2)} ×`;
const table = [
	`| | ${STREAM_TIMES_MS.map((time) => `first call, ${time} ms | later calls, ${time} ms`).join(" | ")} | start of the parent | bytes added to a request | memory of parent + child, MB |`,
	"|---|---|---|---|---|---|---|---|",
	...rows,
	"",
	`Cold child, median of ${cold.length}: bare pi ${coldMedian("bare")}, with an empty extension ${coldMedian("withExtension")}; ours unconfined ${coldMedian("ours")} (${coldRatio("bare")} and ${coldRatio("withExtension")}), as configured ${coldMedian("confined")}.`,
	"",
	`Machine: ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${spawnSync("uname", ["-sr"], { encoding: "utf8" }).stdout.trim()}, Node ${process.version}, pi ${(JSON.parse(readFileSync(join(PI_PACKAGE, "package.json"), "utf8")) as { version: string }).version}; load average during the run ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}; median of ${ROUNDS}.`,
].join("\n");
mkdirSync(join(HERE, "..", "results"), { recursive: true });
writeFileSync(
	join(HERE, "..", "results", "delegation.json"),
	`${JSON.stringify({ samples: Object.fromEntries(samples), cold, loads }, null, "\t")}\n`,
);
process.stdout.write(`${table}\n`);
await provider.close();
for (const home of [...homes.values(), coldHome]) home.remove();
