// What an extension adds to the start of pi: `npm run bench:parent -- [rounds] [/path/to/other/clone]`. From pi's look at its settings to
// its first request, in turn within each round; the first two rounds fill caches. A busy moment makes some starts much slower, so beside the
// median there is the mean of the faster two thirds. Prints Markdown.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { createPiHome, MODEL, PI_SCRIPT } from "../../test/helpers/pi-door-home.ts";
import { stagePackage } from "../../test/helpers/pi-door-package.ts";
import { startScriptedProvider } from "../../test/helpers/pi-door-provider.ts";
import { mean, median, sortSamples } from "../samples.ts";

const [rounds = "60", other] = process.argv.slice(2);
const FILLING_ROUNDS = 2;
const provider = await startScriptedProvider(() => ({ text: "Yes." }));
const home = createPiHome(provider.baseUrl);
const noted = join(home.root, "window");
const env = {
	...home.env,
	NODE_OPTIONS: `--require=${JSON.stringify(join(import.meta.dirname, "note-window.cjs"))}`,
	BENCH_WINDOW_FILE: noted,
};

const BARE = "no extension";
const EMPTY = "an extension that does nothing";
const variants = [
	{ name: BARE, flags: [] },
	{ name: EMPTY, flags: ["-e", home.write("empty/index.ts", "export default () => {};\n")] },
	{ name: "deputize", flags: ["-e", stagePackage().extension] },
	...(other ? [{ name: other, flags: ["-e", stagePackage(resolve(other), "other").extension] }] : []),
].map((variant) => ({ ...variant, times: [] as number[] }));

async function measure(flags: readonly string[]): Promise<number> {
	const args = [PI_SCRIPT, "--mode", "json", "-p", "--no-session", "--model", MODEL, "-ne", ...flags];
	const pi = spawn(process.execPath, args, { cwd: home.project, env, stdio: ["pipe", "ignore", "inherit"] });
	pi.stdin.end("hi");
	const [code] = (await once(pi, "close")) as [number | null];
	if (code !== 0) throw new Error(`pi ${args.join(" ")} ended with ${code}`);
	const time = Number(readFileSync(noted, "utf8"));
	rmSync(noted);
	return time;
}

const faster = (values: readonly number[]) =>
	mean(sortSamples(values).slice(0, Math.ceil((values.length * 2) / 3)));

try {
	for (let round = -FILLING_ROUNDS; round < Number(rounds); round++) {
		// Who is first changes with every round.
		const first = (round + FILLING_ROUNDS) % variants.length;
		for (const variant of [...variants.slice(first), ...variants.slice(0, first)]) {
			const time = await measure(variant.flags);
			if (round >= 0) variant.times.push(time);
		}
	}
} finally {
	await provider.close();
	home.remove();
}

const timesOf = (name: string) => variants.find((variant) => variant.name === name)?.times ?? [];
console.log(
	`${rounds} rounds, Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log(`| | median | faster two thirds | over ${BARE} | over ${EMPTY} |\n|---|---|---|---|---|`);
for (const { name, times } of variants) {
	const over = [BARE, EMPTY].map((base) => `${(faster(times) - faster(timesOf(base))).toFixed(1)} ms`);
	console.log(
		`| ${[name, `${median(times).toFixed(0)} ms`, `${faster(times).toFixed(0)} ms`, ...over].join(" | ")} |`,
	);
}
