import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareClangd } from "../../../../../src/tools/lsp/servers/prepare-clangd.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let project: LspWorkspace;
let own: LspWorkspace;

beforeEach(() => {
	project = createWorkspace();
	own = createWorkspace();
});
afterEach(() => {
	project.remove();
	own.remove();
});

const prepare = (files: readonly string[] = []) =>
	prepareClangd(project.directory, own.directory, async () => files);

describe("prepareClangd", () => {
	it("links the project's own database from a directory outside the project", async () => {
		const database = project.write("build/compile_commands.json", "[]");
		expect(await prepare()).toEqual([`--compile-commands-dir=${own.directory}`]);
		expect(readlinkSync(join(own.directory, "compile_commands.json"))).toBe(database);
		expect(readdirSync(project.directory)).toEqual(["build"]);
	});

	it("lists the source files of a project without a database, with the flags it has", async () => {
		project.write("compile_flags.txt", "-Iinclude\n\n-DX=1\n");
		const files = ["a.c", "b.h", "c.cpp"].map((name) => join(project.directory, name));
		await prepare(files);
		const entries = JSON.parse(readFileSync(join(own.directory, "compile_commands.json"), "utf8"));
		expect(entries).toEqual(
			[files[0], files[2]].map((file) => ({
				directory: project.directory,
				file,
				arguments: ["clang", "-Iinclude", "-DX=1", file],
			})),
		);
	});

	it("replaces the list when a database appears", async () => {
		await prepare();
		project.write("compile_commands.json", "[]");
		await prepare();
		expect(lstatSync(join(own.directory, "compile_commands.json")).isSymbolicLink()).toBe(true);
	});
});
