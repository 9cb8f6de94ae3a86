import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { listFilters } from "../../../scripts/generate-seccomp.mjs";

const DIRECTORY = join(import.meta.dirname, "../../../data/seccomp");
const filters = new Map((listFilters as () => [string, Buffer][])());

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 };
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

/** What the kernel would do: the few instructions the filters consist of. */
function judge(
	program: Buffer,
	call: { architecture: number; number: number; first?: number; fourth?: number },
): number {
	const data = new Map([
		[0, call.number],
		[4, call.architecture],
		[16, call.first ?? 0],
		[40, call.fourth ?? 0],
	]);
	let accumulator = 0;
	for (let at = 0; at < program.length; at += 8) {
		const [code, value] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)];
		if (code === 0x06) return value;
		if (code === 0x20) accumulator = data.get(value) ?? Number.NaN;
		else if (code === 0x54) accumulator &= value;
		else {
			const isTrue = code === 0x15 ? accumulator === value : accumulator >= value;
			at += program.readUInt8(at + (isTrue ? 2 : 3)) * 8;
		}
	}
	throw new Error("The program has no end.");
}

describe("the filters of system calls", () => {
	it("in the package are what the script makes", () => {
		expect(readdirSync(DIRECTORY).sort()).toEqual([...filters.keys()].sort());
		for (const [name, bytes] of filters) expect(readFileSync(join(DIRECTORY, name))).toEqual(bytes);
	});

	it.each([
		[
			"x64",
			{ ptrace: 101, keyctl: 250, bpf: 321, io_uring_setup: 425, read: 0, execve: 59, clone: 56, mount: 165 },
		],
		[
			"arm64",
			{
				ptrace: 117,
				keyctl: 219,
				bpf: 280,
				io_uring_setup: 425,
				read: 63,
				execve: 221,
				clone: 220,
				mount: 40,
			},
		],
	] as const)("refuse what reaches beyond the child on %s, and nothing it needs", (name, numbers) => {
		const program = filters.get(`${name}-own.bpf`) ?? Buffer.alloc(0);
		const verdicts = Object.entries(numbers).map(([call, number]) => [
			call,
			judge(program, { architecture: AUDIT[name], number }),
		]);
		const refused = ["ptrace", "keyctl", "bpf", "io_uring_setup"];
		expect(verdicts).toEqual(
			Object.keys(numbers).map((call) => [call, refused.includes(call) ? EPERM : ALLOW]),
		);
	});

	it.each([
		["x64", 41],
		["arm64", 198],
	] as const)("refuse unix sockets on %s where none is needed, and no others", (name, number) => {
		const judgeSocket = (file: string, first: number) =>
			judge(filters.get(file) ?? Buffer.alloc(0), { architecture: AUDIT[name], number, first });
		expect(judgeSocket(`${name}-own-no-sockets.bpf`, 1)).toBe(EPERM);
		for (const family of [2, 10, 16]) expect(judgeSocket(`${name}-own-no-sockets.bpf`, family)).toBe(ALLOW);
		expect(judgeSocket(`${name}-own.bpf`, 1)).toBe(ALLOW);
	});

	it.each([
		["x64", { memfd_create: 319, shmget: 29, mount: 165, fsopen: 430 }, 9],
		["arm64", { memfd_create: 279, shmget: 194, mount: 40, fsopen: 430 }, 222],
	] as const)(
		"refuse memory on %s that no process is charged for, where it is limited",
		(name, calls, mmap) => {
			const ask = (file: string, number: number, fourth = 0) =>
				judge(filters.get(`${name}-${file}.bpf`) ?? Buffer.alloc(0), {
					...{ architecture: AUDIT[name], number, fourth },
				});
			for (const number of Object.values(calls)) {
				expect(ask("own-counted", number)).toBe(EPERM);
				expect(ask("own", number)).toBe(ALLOW);
			}
			// MAP_SHARED | MAP_ANONYMOUS, the same with MAP_POPULATE, MAP_SHARED_VALIDATE; then private and of a file.
			for (const flags of [0x21, 0x8021, 0x23]) expect(ask("own-counted", mmap, flags)).toBe(EPERM);
			for (const flags of [0x22, 0x01, 0x02]) expect(ask("own-counted", mmap, flags)).toBe(ALLOW);
			expect(ask("own", mmap, 0x21)).toBe(ALLOW);
		},
	);

	it("know no system calls of another processor or of the x32 interface", () => {
		const program = filters.get("x64-own.bpf") ?? Buffer.alloc(0);
		expect(judge(program, { architecture: AUDIT.i386, number: 1 })).toBe(ENOSYS);
		expect(judge(program, { architecture: AUDIT.x64, number: 0x40000000 + 101 })).toBe(ENOSYS);
	});
});
