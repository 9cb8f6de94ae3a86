// Writes dist/: JavaScript bundled from the entry points of src/entry-points.ts, and the types that its exports reach.
// Started by build.mjs with the Node of this package, because it imports a TypeScript file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { PART_ROWS } from "../src/parts/part-rows.ts";
import { bundleCode, bundlePage } from "./bundle-code.mjs";
import { root } from "./install-dependencies.mjs";
import { lockParts, measurePackage } from "./lock-parts.mjs";
import { findSource, listNamedImports } from "./package-index.mjs";
import { renderLicenses } from "./render-licenses.mjs";

/** Declarations of everything that src/index.ts imports, unchecked: `npm run typecheck` checks. */
async function emitTypes(directory) {
	const tsc = spawn(
		process.execPath,
		[join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.types.json", "--outDir", directory],
		{ cwd: root, stdio: ["ignore", "inherit", "inherit"] },
	);
	const [code] = await once(tsc, "exit");
	if (code !== 0) throw new Error(`tsc ended with ${code}`);
}

const REFERENCE = /((?:from |import\()")(\.[^"]+)\.ts(")/g;
/** Workspaces are not published: each of their names is imported from the file that declares it, like everything else here. */
function resolveWorkspaces(text, file, root) {
	return [...listNamedImports(text)].reduce((resolved, { whole, names, from }) => {
		const [, name] = /^@deputize\/(\w+)$/.exec(from) ?? [];
		if (name === undefined) return resolved;
		const path = join(root, "packages", name, "index.d.ts");
		const index = { path, text: readFileSync(path, "utf8") };
		const single = names.map((each) => {
			const source = relative(dirname(file), findSource(index, each)).replaceAll("\\", "/");
			return whole.replace(/\{[^}]*\}/, `{ ${each} }`).replace(from, source);
		});
		return resolved.replace(whole, single.join("\n"));
	}, text);
}

/** Copies `src/index.d.ts` and what it refers to, directly or through others. */
function keepReachableTypes(from, to) {
	const waiting = [join(from, "src", "index.d.ts")];
	const kept = new Set(waiting);
	for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
		const text = resolveWorkspaces(readFileSync(file, "utf8"), file, from);
		const target = join(to, relative(from, file));
		cpSync(file, target);
		writeFileSync(target, text.replace(REFERENCE, "$1$2.js$3"));
		for (const [, , path] of text.matchAll(REFERENCE)) {
			const next = `${resolve(dirname(file), path)}.d.ts`;
			if (kept.has(next)) continue;
			kept.add(next);
			waiting.push(next);
		}
	}
}

function lockOptionalParts() {
	const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
	return lockParts(PART_ROWS, lock, (path) => measurePackage(join(root, path)));
}

// Built beside dist/ and then put in its place: a program that runs meanwhile finds all of the old files or all of the new.
const place = mkdtempSync(join(root, "node_modules", ".cache", "deputize", "bundle-"));
try {
	const dist = join(place, "dist");
	const [packages] = await Promise.all([bundleCode(dist), bundlePage(dist), emitTypes(join(place, "types"))]);
	const grammars = join(root, "node_modules/@vscode/tree-sitter-wasm");
	// Not bundled: it asks for its own file name, which only CommonJS has.
	cpSync(join(grammars, "wasm/tree-sitter.js"), join(dist, "tree-sitter.cjs"));
	writeFileSync(
		join(dist, "licenses.txt"),
		renderLicenses([...packages, grammars, join(root, "node_modules", "preact")]),
	);
	writeFileSync(join(dist, "parts.json"), `${JSON.stringify(lockOptionalParts())}\n`);
	keepReachableTypes(join(place, "types"), join(dist, "types"));
	if (existsSync(join(root, "dist"))) renameSync(join(root, "dist"), join(place, "old"));
	renameSync(dist, join(root, "dist"));
} finally {
	rmSync(place, { recursive: true, force: true });
}
