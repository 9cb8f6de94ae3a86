import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareClangd } from "../../../../../src/tools/lsp/servers/prepare-clangd.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let project: LspWorkspace;
let home: LspWorkspace;

beforeEach(() => {
	project = createWorkspace();
	home = createWorkspace();
});
afterEach(() => {
	project.remove();
	home.remove();
});

async function prepare(env: Record<string, string>, files: readonly string[] = []) {
	const prepared = await prepareClangd(project.directory, env, async () => files);
	const [argument = ""] = prepared.args;
	return { ...prepared, directory: argument.slice("--compile-commands-dir=".length) };
}

describe("prepareClangd", () => {
	it("links the project's own database from a directory outside the project", async () => {
		const database = project.write("build/compile_commands.json", "[]");
		const { directory } = await prepare({ HOME: home.directory });
		expect(directory.startsWith(join(home.directory, ".cache/deputize/clangd"))).toBe(true);
		expect(readlinkSync(join(directory, "compile_commands.json"))).toBe(database);
		expect(lstatSync(directory).mode & 0o777).toBe(0o700);
		expect(readdirSync(project.directory)).toEqual(["build"]);
	});

	it("lists the source files of a project without a database, with the flags it has", async () => {
		project.write("compile_flags.txt", "-Iinclude\n\n-DX=1\n");
		const files = ["a.c", "b.h", "c.cpp"].map((name) => join(project.directory, name));
		const { directory } = await prepare({ XDG_CACHE_HOME: home.directory }, files);
		const entries = JSON.parse(readFileSync(join(directory, "compile_commands.json"), "utf8"));
		expect(entries).toEqual(
			[files[0], files[2]].map((file) => ({
				directory: project.directory,
				file,
				arguments: ["clang", "-Iinclude", "-DX=1", file],
			})),
		);
	});

	it("keeps one directory per project, and replaces the list when a database appears", async () => {
		const first = await prepare({ HOME: home.directory });
		project.write("compile_commands.json", "[]");
		const second = await prepare({ HOME: home.directory });
		expect(second.directory).toBe(first.directory);
		expect(lstatSync(join(second.directory, "compile_commands.json")).isSymbolicLink()).toBe(true);
	});

	it.each([
		["a home that cannot be written", () => ({ HOME: home.write("a-file", "") })],
		["no home", () => ({})],
		["a cache inside the project", () => ({ XDG_CACHE_HOME: join(project.directory, "cache") })],
	])("uses a temporary directory and removes it: %s", async (_name, env) => {
		const { directory, cleanUp } = await prepare(env());
		expect(existsSync(join(directory, "compile_commands.json"))).toBe(true);
		expect(readdirSync(project.directory)).toEqual([]);
		await cleanUp();
		expect(existsSync(directory)).toBe(false);
	});

	it("removes indexes nobody used for a month", async () => {
		const { directory } = await prepare({ HOME: home.directory });
		const old = join(dirname(directory), "old");
		home.write(".cache/deputize/clangd/old/x", "");
		utimesSync(old, new Date(0), new Date(0));
		await prepare({ HOME: home.directory });
		expect(existsSync(old)).toBe(false);
		expect(existsSync(directory)).toBe(true);
	});
});
