import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("a lock file", () => {
	let directory: string;
	let path: string;
	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), "file-lock-"));
		path = join(directory, "lock");
	});
	afterEach(() => {
		vi.doUnmock("node:fs");
		vi.resetModules();
		rmSync(directory, { recursive: true, force: true });
	});

	type FileSystem = typeof import("node:fs");
	async function takeWith(change: (real: FileSystem) => Partial<FileSystem>) {
		const real = await vi.importActual<FileSystem>("node:fs");
		vi.resetModules();
		vi.doMock("node:fs", () => ({ ...real, ...change(real) }));
		return (await import("../../../src/process/take-file-lock.ts")).takeFileLock;
	}
	const fullDisk = (): Error => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

	it("of another process stays where it is when ours cannot be made", async () => {
		const fail = (): never => {
			writeFileSync(path, "of another process");
			throw fullDisk();
		};
		const takeFileLock = await takeWith(() => ({ openSync: fail, writeFileSync: fail }));
		expect(() => takeFileLock(path)).toThrow("no space left");
		expect(readFileSync(path, "utf8")).toBe("of another process");
	});

	it("that could not be written does not stay", async () => {
		const takeFileLock = await takeWith((real) => ({
			writeFileSync: (file) => {
				if (typeof file === "string") real.closeSync(real.openSync(file, "wx"));
				throw fullDisk();
			},
		}));
		expect(() => takeFileLock(path)).toThrow("no space left");
		expect(existsSync(path)).toBe(false);
	});

	it("is taken once, and again when it was given back", async () => {
		const takeFileLock = await takeWith(() => ({}));
		const lock = takeFileLock(path);
		expect(lock).toBeDefined();
		expect(takeFileLock(path)).toBeUndefined();
		lock?.release();
		const again = takeFileLock(path);
		expect(again).toBeDefined();
		again?.release();
		expect(existsSync(path)).toBe(false);
	});
});
