import { existsSync, lstatSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPrivateDirectory } from "../../../../../src/tools/lsp/servers/open-private-directory.ts";
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

const open = (env: Record<string, string>, owner = ["clangd", "trusted"]) =>
	openPrivateDirectory(owner, project.directory, env);

describe("openPrivateDirectory", () => {
	it("is below the user's cache, private and kept", async () => {
		const { path, release } = await open({ HOME: home.directory });
		expect(dirname(path)).toBe(join(home.directory, ".cache/deputize/servers"));
		expect(lstatSync(path).mode & 0o777).toBe(0o700);
		await release();
		expect((await open({ HOME: home.directory })).path).toBe(path);
	});

	it("is another one for another server, and for another verdict about the project", async () => {
		const paths = await Promise.all(
			[
				["clangd", "trusted"],
				["clangd", "untrusted"],
				["gopls", "trusted"],
			].map(async (owner) => (await open({ XDG_CACHE_HOME: home.directory }, owner)).path),
		);
		expect(new Set(paths).size).toBe(3);
	});

	it.each([
		["a home that cannot be written", () => ({ HOME: home.write("a-file", "") })],
		["no home", () => ({})],
		["a cache inside the project", () => ({ XDG_CACHE_HOME: join(project.directory, "cache") })],
	])("is temporary and removed: %s", async (_name, env) => {
		const { path, release } = await open(env());
		expect(lstatSync(path).isDirectory()).toBe(true);
		expect(path.startsWith(project.directory)).toBe(false);
		await release();
		expect(existsSync(path)).toBe(false);
	});

	it("removes directories nobody used for a month", async () => {
		const { path } = await open({ HOME: home.directory });
		const old = join(dirname(path), "old");
		home.write(".cache/deputize/servers/old/x", "");
		utimesSync(old, new Date(0), new Date(0));
		await open({ HOME: home.directory });
		expect(existsSync(old)).toBe(false);
		expect(existsSync(path)).toBe(true);
	});
});
