import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { testDirectory } from "./test-directory.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** pi brings these itself; a package that has its own copies beside it behaves differently and starts slowly. */
const PEERS = ["@earendil-works", "typebox"];

export interface StagedPackage {
	readonly directory: string;
	/** What `pi.extensions` in package.json points at. */
	readonly extension: string;
	/** What `bin` points at. */
	readonly cli: string;
}

/**
 * The compiled package as `pi install` leaves it: its dependencies beside it, and nothing of pi. One copy serves all
 * processes of a test run. Another clone than this one is for benches that compare.
 */
export function stagePackage(root: string = ROOT, name = "staged"): StagedPackage {
	const directory = join(testDirectory(), name);
	if (!existsSync(directory)) {
		const unfinished = mkdtempSync(join(testDirectory(), `${name}-`));
		fill(unfinished, root);
		try {
			renameSync(unfinished, directory);
		} catch {
			// Another process was faster; its copy is the same.
			rmSync(unfinished, { recursive: true, force: true });
		}
	}
	const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
		bin: { deputize: string };
		pi: { extensions: readonly string[] };
	};
	return {
		directory,
		extension: join(directory, manifest.pi.extensions[0] ?? ""),
		cli: join(directory, manifest.bin.deputize),
	};
}

function fill(directory: string, root: string): void {
	// What pi loads had other names in older versions.
	for (const name of ["dist", "agents", "index.ts", "index.js", "package.json"].filter((name) =>
		existsSync(join(root, name)),
	))
		copy(join(root, name), join(directory, name));
	const from = join(root, "node_modules");
	const to = join(directory, "node_modules");
	// Copies, not links: the converter may read nothing outside of the package it is in.
	for (const name of listProductionDependencies(root)) copy(join(from, name), join(to, name));
	for (const name of readdirSync(from)) {
		const scope = name.startsWith("@")
			? readdirSync(join(from, name)).map((part) => join(name, part))
			: [name];
		for (const entry of PEERS.includes(name) || name.startsWith(".") ? [] : scope)
			link(join(from, entry), join(to, entry));
	}
}

function copy(from: string, to: string): void {
	cpSync(from, to, { recursive: true, filter: (file) => !/\.(d\.[cm]?ts|map)$/.test(file) });
}

function link(from: string, to: string): void {
	if (existsSync(to)) return;
	mkdirSync(dirname(to), { recursive: true });
	symlinkSync(from, to);
}

function listProductionDependencies(root: string): ReadonlySet<string> {
	const modules = join(root, "node_modules");
	const found = new Set<string>();
	const visit = (manifest: string): void => {
		const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
			dependencies?: Record<string, string>;
		};
		for (const name of Object.keys(dependencies)) {
			const next = join(modules, name, "package.json");
			if (found.has(name) || !existsSync(next)) continue;
			found.add(name);
			visit(next);
		}
	};
	visit(join(root, "package.json"));
	return found;
}
