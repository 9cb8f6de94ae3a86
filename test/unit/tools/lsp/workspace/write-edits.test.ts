import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileEdit, writeEditsAllOrNone } from "../../../../../src/tools/lsp/workspace/write-edits.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
beforeEach(() => {
	workspace = createWorkspace();
	for (const name of ["a", "b", "c"]) workspace.write(name, `old ${name}`);
});
afterEach(() => workspace.remove());

const edit = (name: string): FileEdit => ({
	file: join(workspace.directory, name),
	oldText: `old ${name}`,
	newText: `new ${name}`,
});
const texts = () =>
	Object.fromEntries(
		readdirSync(workspace.directory).map((name) => [
			name,
			readFileSync(join(workspace.directory, name), "utf8"),
		]),
	);

describe("writeEditsAllOrNone", () => {
	it("writes all files, keeps their modes and leaves nothing else", async () => {
		chmodSync(join(workspace.directory, "b"), 0o755);
		await writeEditsAllOrNone(["a", "b", "c"].map(edit));
		expect(texts()).toEqual({ a: "new a", b: "new b", c: "new c" });
		expect(statSync(join(workspace.directory, "b")).mode & 0o777).toBe(0o755);
	});

	it("writes none when one of them reads differently by now, and leaves nothing", async () => {
		workspace.write("c", "changed by somebody");
		await expect(writeEditsAllOrNone(["a", "b", "c"].map(edit))).rejects.toThrow(
			/c changed while the edit was made\. Nothing was written/,
		);
		expect(texts()).toEqual({ a: "old a", b: "old b", c: "changed by somebody" });
	});

	it("writes none when one of them is gone", async () => {
		rmSync(join(workspace.directory, "b"));
		await expect(writeEditsAllOrNone(["a", "b", "c"].map(edit))).rejects.toThrow(/ENOENT/);
		expect(texts()).toEqual({ a: "old a", c: "old c" });
	});
});
