// How long a cold start takes, this clone beside another one: `node bench/start/run.ts /path/to/other/clone [rounds]`.
// Interleaved, so that a busy moment of the machine meets both. Wall time is the median; CPU time (of the process and all
// it waited for) is the mean, because the system counts it in hundredths of a second. Prints Markdown.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { createPiHome, MODEL, PI_SCRIPT } from "../../test/helpers/pi-door-home.ts";
import { stagePackage } from "../../test/helpers/pi-door-package.ts";
import { startScriptedProvider } from "../../test/helpers/pi-door-provider.ts";
import { mean, median } from "../samples.ts";

const [other = "", rounds = "21"] = process.argv.slice(2);
const HERE = resolve(import.meta.dirname, "../..");
const TICKS_PER_SECOND = 100;

interface Command {
	readonly name: string;
	readonly args: readonly string[];
	readonly input?: string;
}

interface Sample {
	readonly wallMs: number;
	readonly cpuMs: number;
}

const provider = await startScriptedProvider((request) =>
	request.isChild
		? { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Yes." } }] }
		: { text: "Yes." },
);
const home = createPiHome(provider.baseUrl, { waitingChildren: true });
// The cache the tests share would hide what a user without one waits for.
const { NODE_COMPILE_CACHE: _, ...env } = home.env;

function describeCommands(root: string): readonly Command[] {
	const { cli, extension } = stagePackage(root, root === HERE ? "after" : "before");
	const pi = [PI_SCRIPT, "--mode", "json", "-p", "--model", MODEL];
	return [
		{ name: "node alone", args: ["-e", "0"] },
		{ name: "agents", args: [cli, "agents"] },
		{ name: "run --dry-run", args: [cli, "run", "explorer", "x", "--offline", "--dry-run"] },
		{
			name: "exec",
			args: [cli, "exec"],
			input: JSON.stringify({
				provider: "openai-chat",
				model: "m",
				url: `${provider.baseUrl}/chat/completions`,
				prompt: "hi",
			}),
		},
		{ name: "pi alone", args: [...pi, "-ne"], input: "hi" },
		{ name: "pi parent", args: [...pi, "-ne", "-e", extension], input: "hi" },
		{ name: "cold child", args: [cli, "run", "explorer", "Is it there?", "--model", MODEL] },
	];
}

function readChildTicks(): number {
	const fields = readFileSync("/proc/self/stat", "utf8")
		.replace(/^.*\) /s, "")
		.split(" ");
	return Number(fields[13]) + Number(fields[14]);
}

async function measure({ name, args, input }: Command): Promise<Sample> {
	const ticks = readChildTicks();
	const startedAt = performance.now();
	const child = spawn(process.execPath, args, {
		cwd: home.project,
		env,
		stdio: ["pipe", "ignore", "pipe"],
	});
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
	});
	child.stdin.on("error", () => undefined);
	child.stdin.end(input ?? "");
	const [code] = (await once(child, "close")) as [number | null];
	if (code !== 0) throw new Error(`${name} (${args.join(" ")}) ended with ${code}: ${stderr}`);
	const wallMs = performance.now() - startedAt;
	return { wallMs, cpuMs: ((readChildTicks() - ticks) * 1000) / TICKS_PER_SECOND };
}

const change = (before: number, after: number): string =>
	`${after > before ? "+" : "−"}${Math.abs((after / before - 1) * 100).toFixed(0)} %`;

const pairs = describeCommands(resolve(other)).map((before, index) => ({
	before,
	after: describeCommands(HERE)[index] ?? before,
	samples: { before: [] as Sample[], after: [] as Sample[] },
}));
try {
	for (let round = -1; round < Number(rounds); round++) {
		for (const { before, after, samples } of pairs) {
			// Who is first changes with every round.
			const order = round % 2 === 0 ? (["before", "after"] as const) : (["after", "before"] as const);
			for (const side of order) {
				const sample = await measure(side === "before" ? before : after);
				// The first round fills caches.
				if (round >= 0) samples[side].push(sample);
			}
		}
	}
} finally {
	await provider.close();
	home.remove();
}

console.log(
	`${rounds} rounds, Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log("| | wall before | after | | CPU before | after | |\n|---|---|---|---|---|---|---|");
for (const { before, samples } of pairs) {
	const wall = [samples.before, samples.after].map((side) => median(side.map(({ wallMs }) => wallMs)));
	const cpu = [samples.before, samples.after].map((side) => mean(side.map(({ cpuMs }) => cpuMs)));
	const cells = [wall, cpu].flatMap(([first = 0, second = 0]) => [
		`${first.toFixed(0)} ms`,
		`${second.toFixed(0)} ms`,
		change(first, second),
	]);
	console.log(`| ${before.name} | ${cells.join(" | ")} |`);
}
