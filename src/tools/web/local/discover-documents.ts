import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { asObject, readJsonFile } from "@deputize/ground";
import type { Judge } from "../../../judge/create-judge.ts";
import { LOCAL_LIMITS } from "./local-limits.ts";

export interface DiscoveredDocument {
	/** Relative to the project, with forward slashes. */
	readonly path: string;
	/** Name of the installed package; empty for the project's own documents. */
	readonly packageName: string;
	readonly bytes: number;
	readonly changedAt: number;
}

interface Discovery {
	readonly documents: readonly DiscoveredDocument[];
	/** Some documents were left out because of a limit. */
	readonly isPartial: boolean;
}

const DOCUMENT_NAME = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
const README_NAME = /^readme(?:\.[a-z.]{1,12})?$/i;
/** Every package has these, and they answer no question about how to use it. */
const PACKAGE_NOISE =
	/^(?:licen[cs]e|copying|changelog|changes|history|security|code_of_conduct|contributing|authors|notice|third)/i;
const SKIPPED_DIRECTORIES = new Set(
	"node_modules dist build out coverage target vendor __pycache__ venv tmp fixtures test tests __tests__".split(
		" ",
	),
);

/** The project's documents first, then those of packages it names, then those of the rest, up to the limits. */
export async function discoverDocuments(projectRoot: string, judge: Judge): Promise<Discovery> {
	const root = await realpath(projectRoot);
	const walk = createWalk(root, judge);
	await walk.visit(root, "", 0);
	for (const name of await listPackages(root)) {
		const directory = await realpath(join(root, "node_modules", name)).catch(() => undefined);
		// A linked package may live anywhere; only what is inside the workspace is read.
		if (directory?.startsWith(root + sep)) await walk.visit(directory, name, 0);
	}
	return walk.finish();
}

function createWalk(root: string, judge: Judge) {
	const documents: DiscoveredDocument[] = [];
	let directories = 0;
	let bytes = 0;
	let isPartial = false;

	async function visit(directory: string, packageName: string, depth: number): Promise<void> {
		// No link is followed, so this is where it really is.
		if (judge.explain(directory) !== undefined) return;
		directories += 1;
		if (depth > LOCAL_LIMITS.maxDepth || directories > LOCAL_LIMITS.maxDirectories) {
			isPartial = true;
			return;
		}
		const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => []);
		for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
			const path = join(directory, entry.name);
			if (entry.isDirectory() && isWalked(entry.name)) await visit(path, packageName, depth + 1);
			else if (entry.isFile() && isDocument(entry.name, packageName)) await add(path, packageName);
		}
	}

	async function add(path: string, packageName: string): Promise<void> {
		const found = await stat(path).catch(() => undefined);
		if (!found || found.size === 0 || found.size > LOCAL_LIMITS.maxFileBytes) return;
		if (judge.explain(path) !== undefined) return;
		if (documents.length >= LOCAL_LIMITS.maxFiles || bytes + found.size > LOCAL_LIMITS.maxTotalBytes) {
			isPartial = true;
			return;
		}
		bytes += found.size;
		const name = relative(root, path).split(sep).join("/");
		documents.push({ path: name, packageName, bytes: found.size, changedAt: found.mtimeMs });
	}

	return { visit, finish: (): Discovery => ({ documents, isPartial }) };
}

function isWalked(name: string): boolean {
	return !name.startsWith(".") && !SKIPPED_DIRECTORIES.has(name);
}

function isDocument(name: string, packageName: string): boolean {
	if (packageName !== "" && PACKAGE_NOISE.test(name)) return false;
	return DOCUMENT_NAME.test(name) || README_NAME.test(name);
}

async function listPackages(root: string): Promise<string[]> {
	const modules = join(root, "node_modules");
	const top = await listNames(modules);
	const scoped = await Promise.all(
		top
			.filter((name) => name.startsWith("@"))
			.map(async (scope) => (await listNames(join(modules, scope))).map((name) => `${scope}/${name}`)),
	);
	const all = [...top.filter((name) => !name.startsWith("@")), ...scoped.flat()].sort();
	const direct = readDirectDependencies(root);
	return [...all.filter((name) => direct.has(name)), ...all.filter((name) => !direct.has(name))];
}

async function listNames(directory: string): Promise<string[]> {
	const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => []);
	return entries
		.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
		.map((entry) => entry.name);
}

function readDirectDependencies(root: string): Set<string> {
	const { dependencies, devDependencies, peerDependencies } = asObject(
		readJsonFile(join(root, "package.json")),
	);
	const groups = [dependencies, devDependencies, peerDependencies];
	return new Set(groups.flatMap((group) => Object.keys(asObject(group))));
}
