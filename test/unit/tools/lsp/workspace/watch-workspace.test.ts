import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WorkspaceWatch } from "../../../../../src/tools/lsp/workspace/watch-workspace.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let watch: WorkspaceWatch;
let seen: string[];

beforeEach(async () => {
	workspace = createWorkspace();
	workspace.write("src/a.ts", "1");
	workspace.write("node_modules/x/index.ts", "1");
	workspace.write(".hidden/b.ts", "1");
	watch = new WorkspaceWatch(workspace.directory);
	seen = [];
	watch.subscribe(({ path, kind }) => seen.push(`${kind} ${path.slice(workspace.directory.length + 1)}`));
	await watch.refresh();
});
afterEach(() => {
	watch.close();
	workspace.remove();
});

describe("WorkspaceWatch", () => {
	it("lists sources and neither dependencies nor hidden directories, and the first look is no change", () => {
		expect(watch.files()).toEqual([join(workspace.directory, "src/a.ts")]);
		expect(seen).toEqual([]);
	});

	it("tells of every change made before the refresh, however soon before", async () => {
		workspace.write("src/a.ts", "22");
		await watch.refresh();
		expect(seen).toEqual(["changed src/a.ts"]);
		workspace.write("src/a.ts", "333");
		await watch.refresh();
		expect(seen).toEqual(["changed src/a.ts", "changed src/a.ts"]);
	});

	it("finds files in directories that did not exist, and keeps watching them", async () => {
		workspace.write("new/deep/c.ts", "1");
		await watch.refresh();
		workspace.write("new/deep/c.ts", "22");
		await watch.refresh();
		expect(seen).toEqual(["created new/deep/c.ts", "changed new/deep/c.ts"]);
	});

	it("tells of deleted and renamed files and directories", async () => {
		workspace.write("gone/d.ts", "1");
		await watch.refresh();
		rmSync(join(workspace.directory, "gone"), { recursive: true });
		renameSync(join(workspace.directory, "src/a.ts"), join(workspace.directory, "src/b.ts"));
		await watch.refresh();
		expect(seen.slice(1).sort()).toEqual(["created src/b.ts", "deleted gone/d.ts", "deleted src/a.ts"]);
		expect(watch.covers(join(workspace.directory, "src/b.ts"))).toBe(true);
	});

	it("does not follow links, so that a circle has an end", async () => {
		symlinkSync(workspace.directory, join(workspace.directory, "src/circle"));
		await watch.refresh();
		expect(watch.files()).toHaveLength(1);
	});
});
