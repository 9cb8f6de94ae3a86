// What it costs a host to load the web tools: fresh processes that import the compiled entry point and make the tools.
//   node packages/documents/bench/html/load-cost.mjs
import { spawnSync } from "node:child_process";
import { compilePart } from "../../../../bench/compile-part.mjs";

const RUNS = 15;
const entry = await compilePart("tools/web/create-web-tools.ts");
const program = `
	const started = performance.now();
	const before = process.cpuUsage();
	const { createWebTools } = await import(${JSON.stringify(entry)});
	createWebTools({ config: {}, env: {}, home: "/", storeDirectory: "/nowhere" });
	const { user, system } = process.cpuUsage(before);
	console.log(JSON.stringify({ wall: performance.now() - started, cpu: (user + system) / 1000 }));`;
const times = Array.from({ length: RUNS }, () => {
	const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(stderr);
	return JSON.parse(stdout);
});
for (const kind of ["wall", "cpu"]) {
	const sorted = times.map((time) => time[kind]).sort((left, right) => left - right);
	const [best, median, worst] = [sorted[0], sorted[Math.floor(RUNS / 2)], sorted.at(-1)].map((time) =>
		time.toFixed(1),
	);
	console.log(`${kind} time: median ${median} ms, best ${best} ms, worst ${worst} ms of ${RUNS} processes`);
}
