import type { NavigatorToolStep, PlannedTurn, PlanTurn } from "./navigator-tool-step.ts";
import { parsePathList } from "./parse-tool-text.ts";

/**
 * Nearly every file, to learn the size of a tree. A bare `*` would also match the names of ignored directories, and a
 * glob that matches one makes ripgrep look into it.
 */
export const ANY_FILE_GLOB = "?*.?*";

const MANIFESTS: ReadonlySet<string> = new Set([
	"package.json",
	"pyproject.toml",
	"Cargo.toml",
	"go.mod",
	"pom.xml",
	"build.gradle",
	"composer.json",
	"Gemfile",
	"setup.py",
	"CMakeLists.txt",
	"deno.json",
]);
const README = /^(readme|agents|architecture|contributing)(\.[a-z]+)?$/i;
const SOURCE_DIRECTORIES: ReadonlySet<string> = new Set([
	"src",
	"lib",
	"app",
	"packages",
	"crates",
	"cmd",
	"pkg",
	"internal",
	"source",
	"dist",
]);
const README_LINES = 80;
const MANIFEST_LINES = 60;
const MAX_READ = 3;
const MAX_LISTED = 4;

/** For "what is this project": what its front page, its manifest and its folders say. */
export const OVERVIEW_TURNS: readonly PlanTurn<ReadonlySet<string>>[] = [lookAround, readFrontPages];

function lookAround(tools: ReadonlySet<string>): PlannedTurn {
	const calls = [];
	if (tools.has("ls")) calls.push({ tool: "ls", args: {} });
	if (tools.has("find")) calls.push({ tool: "find", args: { pattern: ANY_FILE_GLOB, limit: 1000 } });
	return { calls, note: "Looking at the layout." };
}

function readFrontPages(tools: ReadonlySet<string>, seen: readonly NavigatorToolStep[]): PlannedTurn {
	const listings = seen.map(parsePathList);
	const files = [...new Set(listings.flatMap(({ files: listed }) => listed))].filter(
		(path) => !path.includes("/"),
	);
	const readmes = files.filter((path) => README.test(path)).sort((a, b) => rankReadme(a) - rankReadme(b));
	const manifests = files.filter((path) => MANIFESTS.has(path));
	const directories = [...new Set(listings.flatMap(({ directories: listed }) => listed))].filter((path) =>
		SOURCE_DIRECTORIES.has(path),
	);
	const calls = [];
	if (tools.has("read")) {
		for (const path of readmes.slice(0, MAX_READ - 1))
			calls.push({ tool: "read", args: { path, limit: README_LINES } });
		for (const path of manifests.slice(0, 1))
			calls.push({ tool: "read", args: { path, limit: MANIFEST_LINES } });
	}
	if (tools.has("ls"))
		for (const path of directories.slice(0, MAX_LISTED)) calls.push({ tool: "ls", args: { path } });
	return { calls, note: "Reading the front page and the manifest." };
}

function rankReadme(path: string): number {
	return /^readme/i.test(path) ? 0 : 1;
}
