// Asks "Where is X defined?" for symbols that have exactly one definition in their tree: the right file must be first.
// node packages/navigator/bench/evaluate-symbols.ts
import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { classifyPath, weighPath } from "../classify-path.ts";
import { driveNavigator } from "./drive-navigator.ts";
import { filesOf, prepareTrees } from "./prepare-trees.ts";
import { createToolRunner } from "./run-tools.ts";

const TREES = [
	"undici",
	"mammoth",
	"ws",
	"yaml",
	"commander",
	"dependency-cruiser",
	"@earendil-works/pi-coding-agent",
	"deputize",
];
const SYMBOLS_PER_TREE = 8;
const DEFINITION = "^(?:export )?(?:default )?(?:async )?(?:class|function) ([A-Za-z_$][\\w$]{4,})";
const NO_WISHES = {
	tests: false,
	documents: false,
	documentsOnly: false,
	examples: false,
	changelog: false,
	types: false,
	usages: false,
	failures: false,
	overview: false,
	earlier: false,
};

/** Symbols by name with the only file that defines them, spread evenly over the tree. */
function sampleSymbols(tree: string): [string, string][] {
	const ran = spawnSync(rgPath, ["--no-heading", "--with-filename", "-o", "-r", "$1", DEFINITION, "."], {
		cwd: tree,
		encoding: "utf8",
		maxBuffer: 1 << 28,
	});
	const places = new Map<string, Set<string>>();
	for (const row of ran.stdout.split("\n")) {
		const at = row.lastIndexOf(":");
		const path = row.slice(0, at).replace(/^\.\//, "");
		const name = row.slice(at + 1);
		if (at > 0) places.set(name, (places.get(name) ?? new Set()).add(path));
	}
	const unique = [...places].flatMap(([name, paths]): [string, string][] => {
		const real = [...paths].filter(
			(path) => classifyPath(path) === "source" && weighPath(path, NO_WISHES) > 0.5,
		);
		return real.length === 1 && paths.size === 1 ? [[name, real[0]!]] : [];
	});
	unique.sort(([left], [right]) => (left < right ? -1 : 1));
	const step = Math.max(1, Math.floor(unique.length / SYMBOLS_PER_TREE));
	return unique.filter((_symbol, index) => index % step === 0).slice(0, SYMBOLS_PER_TREE);
}

const trees = prepareTrees();
let asked = 0;
let first = 0;
for (const name of TREES) {
	const tree = trees.pathOf(name);
	const runner = createToolRunner(tree);
	const symbols = sampleSymbols(tree);
	console.log(`${name}: ${symbols.length} symbols`);
	for (const [symbol, right] of symbols) {
		const run = await driveNavigator(runner, {
			agent: "explorer",
			task: `Where is ${symbol} defined?`,
			tools: ["read", "grep", "find", "ls"],
		});
		const files = filesOf(run.result);
		asked += 1;
		if (files[0] === right) first += 1;
		else
			console.log(
				`rank ${files.indexOf(right) + 1}  ${name}: ${symbol} is in ${right}; first: ${files.slice(0, 2).join(", ")}`,
			);
	}
}
trees.remove();
console.log(`${first} of ${asked} symbols had their file first`);
