import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildCodeIndex } from "../../code-index/build-code-index.ts";

describe("buildCodeIndex", () => {
	let root = "";
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "code-index-"));
		mkdirSync(join(root, "tree"));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));
	const build = (paths: readonly string[], more = {}) =>
		buildCodeIndex({ root: join(root, "tree"), paths, ...more });

	it("reads text, and leaves out what is not: binaries, bundles, what is gone", async () => {
		writeFileSync(join(root, "tree", "a.ts"), "export const a = 1;\n");
		writeFileSync(join(root, "tree", "b.ts"), Buffer.from([1, 0, 2]));
		writeFileSync(join(root, "tree", "c.js"), "x=1;".repeat(5000));
		const index = await build(["a.ts", "b.ts", "c.js", "gone.ts", "package-lock.json"]);
		expect(index.files.map(({ path }) => path)).toEqual(["a.ts"]);
		expect(index.leftOut).toBe(4);
	});

	it("follows no link: it can lead out of the tree", async () => {
		writeFileSync(join(root, "secret.ts"), "export const secret = 1;\n");
		symlinkSync(join(root, "secret.ts"), join(root, "tree", "link.ts"));
		expect((await build(["link.ts"])).files).toEqual([]);
	});

	it("opens nothing when only names may be known", async () => {
		writeFileSync(join(root, "tree", "a.ts"), "export const hidden = 1;\n");
		const index = await build(["a.ts"], { namesOnly: true });
		expect(index.files.map(({ path, text }) => [path, text])).toEqual([["a.ts", ""]]);
	});

	it("stops when it is no longer wanted", async () => {
		await expect(build(["a.ts"], { signal: AbortSignal.abort() })).rejects.toThrow();
	});
});
