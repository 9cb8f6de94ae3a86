// Runs dependency-cruiser and refuses a green answer that looked at nothing: with an unsupported TypeScript it cruises
// 0 modules and still exits 0. Then checks the paths that are no imports.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { ENTRY_POINTS } from "../src/entry-points.ts";
import { checkEntryPoints } from "./check-entry-points.mjs";

/** Tests and benches of a package may look behind its wall. */
const files = globSync(["src/**/*.ts", "packages/**/*.ts"], {
	exclude: ["packages/*/{test,bench,fixtures}/**"],
});
const run = spawnSync(
	"depcruise",
	["--config", ".dependency-cruiser.mjs", "--output-type", "json", "src", "packages"],
	{
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
		shell: process.platform === "win32",
	},
);
const { modules, summary } = JSON.parse(run.stdout);
const read = new Set(modules.map(({ source }) => source));
const seen = files.filter((file) => read.has(file)).length;

const findings = [
	...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
	...(seen === files.length ? [] : [`dependency-cruiser read ${seen} of ${files.length} source files`]),
	...checkEntryPoints({
		points: ENTRY_POINTS,
		sources: new Map(
			files
				.filter((file) => file.startsWith("src"))
				.map((file) => [file.replaceAll("\\", "/").slice("src/".length), readFileSync(file, "utf8")]),
		),
		manifest: JSON.parse(readFileSync("package.json", "utf8")),
		extension: readFileSync("index.ts", "utf8"),
	}),
];
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
if (findings.length === 0)
	console.log(
		`architecture: ${seen} files, ${summary.totalDependenciesCruised} imports, all one way; ${Object.keys(ENTRY_POINTS).length} entry points`,
	);
