import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { Environment } from "./find-program.ts";

const TRANSLATION_UNIT = /\.(c|cc|cpp|cxx|m|mm)$/;
const DATABASE_PLACES = ["", "build", "out", "out/Debug", "cmake-build-debug", "builddir"];
const DAY_MS = 86_400_000;

export interface ClangdPreparation {
	readonly args: readonly string[];
	readonly cleanUp: () => Promise<void>;
}

/**
 * clangd keeps its index beside the compilation database, normally inside the user's repository. It is given a
 * directory of ours instead, with a link to the real database. Projects without one get a list of their source
 * files, since clangd indexes only what a database names and would know the open files alone.
 */
export async function prepareClangd(
	root: string,
	env: Environment,
	listFiles: () => Promise<readonly string[]>,
): Promise<ClangdPreparation> {
	const { directory, isTemporary } = await openIndexDirectory(root, env);
	const database = join(directory, "compile_commands.json");
	await rm(database, { force: true });
	const existing = DATABASE_PLACES.map((place) => join(root, place, "compile_commands.json")).find((file) =>
		existsSync(file),
	);
	if (existing === undefined) {
		await writeFile(database, JSON.stringify(await buildDatabase(root, await listFiles())));
	} else {
		await symlink(existing, database);
	}
	return {
		args: [`--compile-commands-dir=${directory}`],
		cleanUp: async () => {
			if (isTemporary) await rm(directory, { recursive: true, force: true });
		},
	};
}

async function buildDatabase(root: string, files: readonly string[]): Promise<readonly object[]> {
	const flags = await readFlags(join(root, "compile_flags.txt"));
	return files
		.filter((file) => TRANSLATION_UNIT.test(file))
		.slice(0, LSP_LIMITS.generatedCompileCommands)
		.map((file) => ({ directory: root, file, arguments: ["clang", ...flags, file] }));
}

async function readFlags(file: string): Promise<readonly string[]> {
	try {
		const lines = (await readFile(file, "utf8")).split(/\r?\n/);
		return lines.map((line) => line.trim()).filter((line) => line !== "");
	} catch {
		return [];
	}
}

/** A kept index makes the next start ten times faster; where nothing can be kept, a temporary one does. */
async function openIndexDirectory(
	root: string,
	env: Environment,
): Promise<{ directory: string; isTemporary: boolean }> {
	const home = env["HOME"];
	const cache =
		env["XDG_CACHE_HOME"] ?? (home === undefined || home === "" ? undefined : join(home, ".cache"));
	if (cache !== undefined && cache !== "" && !isWithin(root, cache)) {
		try {
			const parent = join(cache, "deputize", "clangd");
			const directory = join(parent, createHash("sha256").update(root).digest("hex").slice(0, 16));
			await mkdir(directory, { recursive: true, mode: 0o700 });
			const now = new Date();
			await utimes(directory, now, now);
			await removeOldIndexes(parent);
			return { directory, isTemporary: false };
		} catch {
			// A read-only home: go on with a temporary directory.
		}
	}
	return { directory: await mkdtemp(join(tmpdir(), "deputize-clangd-")), isTemporary: true };
}

function isWithin(root: string, path: string): boolean {
	return path === root || path.startsWith(`${root}/`);
}

async function removeOldIndexes(parent: string): Promise<void> {
	const oldest = Date.now() - LSP_LIMITS.indexMaxAgeDays * DAY_MS;
	for (const name of await readdir(parent)) {
		const directory = join(parent, name);
		const used = await stat(directory).catch(() => undefined);
		if (used !== undefined && used.mtimeMs < oldest) await rm(directory, { recursive: true, force: true });
	}
}
