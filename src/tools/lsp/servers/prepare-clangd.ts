import { existsSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";

const TRANSLATION_UNIT = /\.(c|cc|cpp|cxx|m|mm)$/;
const DATABASE_PLACES = ["", "build", "out", "out/Debug", "cmake-build-debug", "builddir"];

/**
 * clangd keeps its index next to the compilation database, normally inside the user's repository. It is given a
 * directory of ours instead, with a link to the real database. Projects without one get a list of their source
 * files, since clangd indexes only what a database names and would know the open files alone.
 */
export async function prepareClangd(
	root: string,
	directory: string,
	listFiles: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
	const database = join(directory, "compile_commands.json");
	await rm(database, { force: true });
	const existing = DATABASE_PLACES.map((place) => join(root, place, "compile_commands.json")).find((file) =>
		existsSync(file),
	);
	if (existing === undefined) {
		await writeFile(database, JSON.stringify(buildDatabase(root, await listFiles())));
	} else {
		await symlink(existing, database);
	}
	return [`--compile-commands-dir=${directory}`];
}

function buildDatabase(root: string, files: readonly string[]): readonly object[] {
	const lines = (readIfThere(join(root, "compile_flags.txt")) ?? "").split("\n");
	const flags = lines.map((line) => line.trim()).filter((line) => line !== "");
	return files
		.filter((file) => TRANSLATION_UNIT.test(file))
		.slice(0, LSP_LIMITS.generatedCompileCommands)
		.map((file) => ({ directory: root, file, arguments: ["clang", ...flags, file] }));
}
