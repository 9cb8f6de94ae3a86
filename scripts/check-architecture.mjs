// Runs dependency-cruiser and refuses a green answer that looked at nothing:
// with an unsupported TypeScript it cruises 0 modules and still exits 0.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const files = globSync("src/**/*.ts").length;
const run = spawnSync("depcruise", ["--config", ".dependency-cruiser.mjs", "--output-type", "json", "src"], {
	encoding: "utf8",
	maxBuffer: 64 * 1024 * 1024,
	shell: process.platform === "win32",
});
const { modules, summary } = JSON.parse(run.stdout);
const seen = modules.filter((module) => module.source.startsWith("src/")).length;

for (const { rule, from, to } of summary.violations) {
	console.error(`${rule.name}: ${from} -> ${to}`);
}
if (seen !== files) console.error(`dependency-cruiser read ${seen} of ${files} source files`);
process.exitCode = summary.violations.length > 0 || seen !== files ? 1 : 0;
if (process.exitCode === 0)
	console.log(`architecture: ${seen} files, ${summary.totalDependenciesCruised} imports, all one way`);
