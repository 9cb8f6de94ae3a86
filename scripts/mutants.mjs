// `npm run mutants -- [--unit] [--every n] [--tests glob,…] <room…>`: changes the code of a room, or of files, in small ways, one at a
// time, and tells which changes no test notices.
// Takes minutes a room, so it is no part of `npm test`; what was measured is in docs/mutants.md.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

/** Faults that a room is there for, besides its own unit tests. */
const FAULTS = {
	"src/batch": ["batch"],
	// Not `starting`: its row 8 fails in the copy that Stryker makes, before anything is changed.
	"src/children": ["stopping"],
	"src/delegation": ["ending", "output"],
	"src/sandbox": ["confinement"],
	"src/sessions": ["sessions"],
};

const { values: wishes, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		/** Faults start processes: with them a survivor takes seconds, without them milliseconds. */
		unit: { type: "boolean", default: false },
		/** Only every nth line, for a room that would take hours. */
		every: { type: "string", default: "1" },
		/** Instead of all tests of the room. */
		tests: { type: "string" },
	},
});
const rooms = positionals.map((word) => word.replace(/\/+$/, ""));
const unknown = rooms.filter((room) => !existsSync(join(root, room)));
if (rooms.length === 0 || unknown.length > 0) {
	const problem = unknown.length > 0 ? `There is no ${unknown.join(", ")}. ` : "";
	process.stderr.write(`${problem}Name folders or files: npm run mutants -- src/sessions src/judge\n`);
	process.exit(2);
}

await installDependencies(root, "dependencies");
const home = join(root, "test", "mutants");
await installDependencies(home, "the mutation tester");
for (const room of rooms) runRoom(room);

function runRoom(room) {
	const reports = join(root, "coverage", "mutants", room.replaceAll("/", "-"));
	mkdirSync(reports, { recursive: true });
	const report = join(reports, "mutation.json");
	const settings = join(reports, "settings.json");
	writeFileSync(settings, JSON.stringify(buildSettings(room, report), undefined, "\t"));
	const node = bundledNode();
	const stryker = join(home, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
	const started = Date.now();
	const run = spawnSync(node, [stryker, "run", settings], {
		cwd: root,
		stdio: "inherit",
		env: {
			...process.env,
			PATH: `${join(node, "..")}${delimiter}${process.env.PATH}`,
			DEPUTIZE_MUTANTS_TESTS: listTests(room).join(","),
		},
	});
	if (run.status === 0) show(room, JSON.parse(readFileSync(report, "utf8")), Date.now() - started);
	else process.exitCode = run.status ?? 1;
}

/** Other rooms' tests notice more, but take minutes for each mutant of a room that everybody uses. */
function listTests(room) {
	if (wishes.tests !== undefined) return wishes.tests.split(",");
	const [top, name, ...rest] = room.replace(/\/[^/]+\.ts$/, "").split("/");
	const folder = top === "packages" ? join(top, name, "test") : join("test", "unit", name, ...rest);
	const faults = wishes.unit ? [] : (FAULTS[join(top, name)] ?? []);
	return [`${folder}/**/*.test.ts`, ...faults.map((fault) => `test/faults/${fault}.test.ts`)];
}

function listPlaces(room) {
	const isFile = /\.ts$/.test(room);
	if (wishes.every === "1")
		return isFile ? [room] : [`${room}/**/*.ts`, "!packages/*/{test,bench,fixtures}/**"];
	const files = isFile
		? [room]
		: readdirSync(join(root, room), { recursive: true }).map((name) => join(room, name));
	const sources = files.filter((file) => /\.ts$/.test(file) && !/\/(?:test|bench|fixtures)\//.test(file));
	return sources.flatMap((file) =>
		readFileSync(join(root, file), "utf8")
			.split("\n")
			.flatMap((_, index) =>
				index % Number(wishes.every) === 0 ? [`${file}:${index + 1}-${index + 1}`] : [],
			),
	);
}

function buildSettings(room, report) {
	return {
		mutate: listPlaces(room),
		testRunner: "vitest",
		plugins: [join(home, "node_modules", "@stryker-mutator", "vitest-runner", "dist", "src", "index.js")],
		vitest: { configFile: "test/mutants/vitest.config.ts", pool: "forks" },
		coverageAnalysis: "perTest",
		// A mutant in code that runs once, at import, would need a process of its own, and all tests.
		ignoreStatic: true,
		concurrency: 2,
		timeoutMS: 20_000,
		ignorePatterns: [
			"/bench",
			"/docs",
			"/test/e2e",
			"/test/security",
			"/coverage",
			"/examples",
			"/biome.json",
		],
		reporters: ["json", "progress-append-only"],
		jsonReporter: { fileName: report },
		tempDirName: ".stryker-tmp",
		allowEmpty: true,
	};
}

/** A mutant that ends in a timeout was noticed: the tests did not pass. */
function show(room, { files }, tookMs) {
	const counts = {};
	const alive = [];
	for (const [file, { source, mutants }] of Object.entries(files)) {
		const lines = source.split("\n");
		for (const { status, location, mutatorName, replacement } of mutants) {
			counts[status] = (counts[status] ?? 0) + 1;
			if (status !== "Survived" && status !== "NoCoverage") continue;
			const { line } = location.start;
			alive.push(
				`${file}:${line} ${mutatorName} → ${toOneLine(replacement)}   ${toOneLine(lines[line - 1])}`,
			);
		}
	}
	const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0, ...rest } = counts;
	const noticed = Killed + Timeout;
	const all = noticed + Survived + NoCoverage;
	process.stdout.write(`${alive.join("\n")}\n\n`);
	process.stdout.write(
		`${room}: ${noticed} of ${all} noticed (${((100 * noticed) / Math.max(all, 1)).toFixed(0)} %), ${Survived} survived, ${NoCoverage} reached by no test, ${Math.round(tookMs / 1000)} s; not counted: ${JSON.stringify(rest)}\n`,
	);
}

function toOneLine(text = "") {
	return text.replace(/\s+/g, " ").trim().slice(0, 100);
}
