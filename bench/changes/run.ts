// What a layer costs: `npm run bench:changes [rounds]`. A repository of 2,000 and of 50,000 tracked files, one file of it and one
// new file changed by a child. Base is everything before a child can start, collect everything after it ended. Prints Markdown.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { collectChanges } from "../../src/changes/collect-changes.ts";
import { dropChanges } from "../../src/changes/drop-changes.ts";
import { createChangeBench } from "../../test/helpers/change-bench.ts";
import { median } from "../samples.ts";

const rounds = Number(process.argv[2] ?? 9);
const PER_DIRECTORY = 50;

const rows: string[] = [];
for (const count of [2000, 50_000]) {
	const bench = createChangeBench();
	for (let at = 0; at < count; at += 1) {
		const directory = join(
			bench.project,
			`d${Math.floor(at / PER_DIRECTORY / 20)}`,
			`e${Math.floor(at / PER_DIRECTORY)}`,
		);
		if (at % PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, `f${at}.txt`), `file ${at}\n`.repeat(20));
	}
	bench.git("init", "-q");
	bench.commit();
	// Files that are as young as the index would be read again by Git, as in no repository that somebody works in.
	execFileSync("sleep", ["1.1"]);
	bench.git("update-index", "-q", "--really-refresh");
	bench.git("status");
	const samples: { readonly base: number; readonly collect: number; readonly bytes: number }[] = [];
	for (let round = 0; round <= rounds; round += 1) {
		const start = performance.now();
		const layer = await bench.open();
		const opened = performance.now();
		await bench.work(layer, "echo more >> d0/e0/f0.txt; echo new > new.txt");
		const ended = performance.now();
		const change = await collectChanges(layer);
		const collected = performance.now();
		if (change?.files.length !== 2) throw new Error("It should have changed two files.");
		await dropChanges(bench, change.id);
		// The first one tries what the sandbox can do, once for a machine.
		if (round > 0) samples.push({ base: opened - start, collect: collected - ended, bytes: change.bytes });
	}
	const of = (field: "base" | "collect" | "bytes"): number => median(samples.map((sample) => sample[field]));
	const both = median(samples.map(({ base, collect }) => base + collect));
	rows.push(
		`| ${count} | ${of("base").toFixed(0)} ms | ${of("collect").toFixed(0)} ms | ${both.toFixed(0)} ms | ${(of("bytes") / 1024).toFixed(0)} KiB |`,
	);
	bench.remove();
}
const load = loadavg()[0]?.toFixed(1);
console.log(`Median of ${rounds}, ${cpus().length} cores (${cpus()[0]?.model}), load ${load} at the end.\n`);
console.log("| Tracked files | Base | Collect | Together | On disk |\n|---|---|---|---|---|");
console.log(rows.join("\n"));
