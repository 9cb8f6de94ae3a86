import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withFileMutationQueue } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyThroughQueue } from "../../../../../src/hosts/pi/parent/apply-through-queue.ts";

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "apply-through-queue-"));
	for (const name of ["a", "b"]) writeFileSync(join(directory, name), "0");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const file = (name: string) => join(directory, name);
const read = (name: string) => readFileSync(file(name), "utf8");
const apply = applyThroughQueue(withFileMutationQueue);

describe("applyThroughQueue, with pi's own queue", () => {
	it("waits for a tool that holds one of the files, and then refuses to overwrite what it wrote", async () => {
		let letGo: () => void = () => undefined;
		const held = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		const tool = withFileMutationQueue(file("b"), async () => {
			await held;
			writeFileSync(file("b"), "written by a tool");
		});
		const applying = apply(["a", "b"].map((name) => ({ file: file(name), oldText: "0", newText: "1" })));
		letGo();
		await tool;
		await expect(applying).rejects.toThrow(/b changed while the edit was made/);
		expect([read("a"), read("b")]).toEqual(["0", "written by a tool"]);
	});

	it("does not wait for ever when two edits name the same files in another order", async () => {
		const edits = (names: readonly string[], oldText: string, newText: string) =>
			names.map((name) => ({ file: file(name), oldText, newText }));
		await Promise.all([apply(edits(["a", "b"], "0", "1")), apply(edits(["b", "a"], "1", "2"))]);
		expect([read("a"), read("b")]).toEqual(["2", "2"]);
	});

	it("is not confused by a file that is named twice", async () => {
		await apply([
			{ file: file("a"), oldText: "0", newText: "1" },
			{ file: file("a"), oldText: "0", newText: "1" },
		]);
		expect(read("a")).toBe("1");
	});
});
