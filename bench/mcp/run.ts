// From spawning `deputize mcp` to its answer to `initialize`, beside a bare Node that writes one line: `npm run bench:mcp`.
// Interleaved, so that a busy moment of the machine meets all. The compiled package, as it is in dist/. Prints Markdown.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { median } from "../samples.ts";

const ROUNDS = Number(process.argv[2] ?? 21);
const CLI = join(import.meta.dirname, "../../dist/cli.js");
const params = {
	protocolVersion: "2025-06-18",
	capabilities: {},
	clientInfo: { name: "bench", version: "0" },
};
const write = (id: number, method: string): string =>
	`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

const VARIANTS = [
	{ name: "bare node", args: ["-e", 'process.stdout.write("{}\\n")'], input: "", answers: 1 },
	{ name: "initialize", args: [CLI, "mcp"], input: write(0, "initialize"), answers: 1 },
	{
		name: "initialize and tools/list",
		args: [CLI, "mcp"],
		input: write(0, "initialize") + write(1, "tools/list"),
		answers: 2,
	},
].map((variant) => ({ ...variant, samples: [] as number[] }));

async function measure({ args, input, answers }: (typeof VARIANTS)[number]): Promise<number> {
	const startedAt = performance.now();
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	child.stdin.on("error", () => undefined);
	child.stdin.write(input);
	let output = "";
	while (output.split("\n").length <= answers) output += String((await once(child.stdout, "data"))[0]);
	const elapsedMs = performance.now() - startedAt;
	child.stdin.end();
	await once(child, "exit");
	return elapsedMs;
}

for (let round = -1; round < ROUNDS; round += 1) {
	for (const variant of VARIANTS) {
		const elapsedMs = await measure(variant);
		// The first round fills caches.
		if (round >= 0) variant.samples.push(elapsedMs);
	}
}
const bare = median(VARIANTS[0]?.samples ?? []);
console.log(
	`${ROUNDS} rounds, Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log("| from spawn to the answer | median | × bare node |\n|---|---|---|");
for (const { name, samples } of VARIANTS) {
	console.log(`| ${name} | ${median(samples).toFixed(1)} ms | ${(median(samples) / bare).toFixed(2)} |`);
}
