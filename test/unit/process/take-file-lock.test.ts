import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { identifyProcessSpace } from "../../../src/process/identify-process.ts";
import { takeFileLock } from "../../../src/process/take-file-lock.ts";

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

describe.skipIf(process.platform !== "linux")("a lock that the kernel has as well", () => {
	let directory: string;
	let path: string;
	let output: string;
	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), "file-lock-"));
		path = join(directory, "lock");
		output = join(directory, "output");
	});
	afterEach(() => rmSync(directory, { recursive: true, force: true }));
	const space = identifyProcessSpace();
	const [boot = ""] = space.split(" ");
	const leaveLock = (content: object): void =>
		writeFileSync(path, JSON.stringify({ pid: 4_194_300, host: hostname(), nonce: "theirs", ...content }));
	const withOutput = <Value>(work: (descriptor: number) => Value): Value => {
		const descriptor = openSync(output, "a");
		try {
			return work(descriptor);
		} finally {
			closeSync(descriptor);
		}
	};

	it("is nobody else's, whatever its lock file is called, until the file is closed", () => {
		withOutput((first) => {
			expect(takeFileLock(path, first)).toBeDefined();
			withOutput((second) => expect(takeFileLock(`${path}.other`, second)).toBeUndefined());
		});
		withOutput((third) => expect(takeFileLock(`${path}.other`, third)).toBeDefined());
	});

	it.each([
		["another container with our host name has it", { space: `${boot} pid:[1]` }, false],
		["the kernel knows that its container is gone", { space: `${boot} pid:[1]`, isKernelLocked: true }, true],
		["it is from before the machine was started", { space: "another-boot pid:[1]" }, true],
		["its process is gone", { space }, true],
		["it is of an older version and its process is gone", {}, true],
		["it is on another machine", { host: "elsewhere" }, false],
	])("is taken over or not: %s", (_why, content, isTaken) => {
		leaveLock(content);
		withOutput((descriptor) => expect(takeFileLock(path, descriptor) !== undefined).toBe(isTaken));
	});

	it("of a session does not mind containers: they come back with the same name", () => {
		leaveLock({ space: `${boot} pid:[1]` });
		expect(takeFileLock(path)).toBeDefined();
	});
});
