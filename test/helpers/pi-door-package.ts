import { createHash } from "node:crypto";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = new URL("../..", import.meta.url).pathname;
const MODULES = join(ROOT, "node_modules");
/** pi brings these itself; a package that has its own copies beside it behaves differently and starts slowly. */
const PEERS = ["@earendil-works", "typebox"];

const PREFIX = "deputize-staged-";

/**
 * The compiled package as `pi install` leaves it: its dependencies beside it, and nothing of pi. One copy per
 * build serves all test processes, because a test runner ends them without letting them tidy up.
 */
export function stagePackage(): { readonly directory: string; readonly extension: string } {
	const directory = join(tmpdir(), `${PREFIX}${describeBuild()}`);
	if (!existsSync(directory)) {
		removeOlder();
		const unfinished = mkdtempSync(join(tmpdir(), "deputize-staging-"));
		fill(unfinished);
		try {
			renameSync(unfinished, directory);
		} catch {
			// Another process was faster; its copy is the same.
			rmSync(unfinished, { recursive: true, force: true });
		}
	}
	return { directory, extension: join(directory, "dist/pi-extension.js") };
}

function fill(directory: string): void {
	for (const name of ["dist", "agents", "package.json"]) copy(join(ROOT, name), join(directory, name));
	const modules = join(directory, "node_modules");
	// Copies, not links: the converter may read nothing outside of the package it is in.
	for (const name of listProductionDependencies()) copy(join(MODULES, name), join(modules, name));
	for (const name of readdirSync(MODULES)) {
		const scope = name.startsWith("@")
			? readdirSync(join(MODULES, name)).map((part) => join(name, part))
			: [name];
		for (const entry of PEERS.includes(name) || name.startsWith(".") ? [] : scope) link(entry, modules);
	}
}

/** Names and times of everything that was compiled. */
function describeBuild(): string {
	const hash = createHash("sha256").update(ROOT);
	for (const folder of ["dist", "agents"]) {
		for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).sort()) {
			hash.update(`${name} ${statSync(join(ROOT, folder, name)).mtimeMs}\n`);
		}
	}
	return hash.digest("hex").slice(0, 16);
}

/** Copies of earlier builds, as long as nothing can still run from them. */
function removeOlder(): void {
	const anHourAgo = Date.now() - 3_600_000;
	for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
		const path = join(tmpdir(), name);
		if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < anHourAgo)
			rmSync(path, { recursive: true, force: true });
	}
}

function copy(from: string, to: string): void {
	cpSync(from, to, { recursive: true, filter: (file) => !/\.(d\.[cm]?ts|map)$/.test(file) });
}

function link(entry: string, modules: string): void {
	const target = join(modules, entry);
	if (existsSync(target)) return;
	mkdirSync(dirname(target), { recursive: true });
	symlinkSync(join(MODULES, entry), target);
}

function listProductionDependencies(): ReadonlySet<string> {
	const found = new Set<string>();
	const visit = (manifest: string): void => {
		const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
			dependencies?: Record<string, string>;
		};
		for (const name of Object.keys(dependencies)) {
			const next = join(MODULES, name, "package.json");
			if (found.has(name) || !existsSync(next)) continue;
			found.add(name);
			visit(next);
		}
	};
	visit(join(ROOT, "package.json"));
	return found;
}
