import { spawnSync } from "node:child_process";
import { compilePart } from "../../../bench/compile-part.mjs";

// What registering convert_content adds to the start of a host: the import of the compiled tool, in fresh processes.
const RUNS = 15;
const tool = await compilePart("tools/convert/create-convert-tool.ts");
const script = `const before = process.cpuUsage(); await import(${JSON.stringify(tool)}); const used = process.cpuUsage(before); console.log((used.user + used.system) / 1000)`;
const times = Array.from({ length: RUNS }, () =>
	Number(spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout),
).toSorted((one, other) => one - other);
console.log(
	`import of convert_content: ${times[Math.floor(RUNS / 2)]} ms CPU (median of ${RUNS}), ${times[0]} ms at best`,
);
