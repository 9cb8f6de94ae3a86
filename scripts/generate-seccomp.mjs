// `node scripts/generate-seccomp.mjs`: writes data/seccomp, the filters of system calls for confined children, in the form
// the kernel takes (struct sock_filter) and `bwrap --seccomp` passes on. test/unit/scripts checks that the files are these.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Refused with EPERM, as a system without the right would. None of them is needed by Node, pi or ripgrep; each reaches
 * beyond the child's own files: other processes, the user's keys, the kernel. Mounting stays: a sandbox inside the
 * sandbox is made with it, and it changes nothing outside.
 */
const REFUSED = {
	ptrace: { x64: 101, arm64: 117 },
	process_vm_readv: { x64: 310, arm64: 270 },
	process_vm_writev: { x64: 311, arm64: 271 },
	kcmp: { x64: 312, arm64: 272 },
	pidfd_getfd: { x64: 438, arm64: 438 },
	add_key: { x64: 248, arm64: 217 },
	request_key: { x64: 249, arm64: 218 },
	keyctl: { x64: 250, arm64: 219 },
	bpf: { x64: 321, arm64: 280 },
	perf_event_open: { x64: 298, arm64: 241 },
	userfaultfd: { x64: 323, arm64: 282 },
	// Its queue makes sockets and opens files past any filter.
	io_uring_setup: { x64: 425, arm64: 425 },
	io_uring_enter: { x64: 426, arm64: 426 },
	io_uring_register: { x64: 427, arm64: 427 },
	init_module: { x64: 175, arm64: 105 },
	finit_module: { x64: 313, arm64: 273 },
	delete_module: { x64: 176, arm64: 106 },
	kexec_load: { x64: 246, arm64: 104 },
	kexec_file_load: { x64: 320, arm64: 294 },
	open_by_handle_at: { x64: 304, arm64: 265 },
	setns: { x64: 308, arm64: 268 },
};
/**
 * Refused as well to a process whose memory is limited: memory that belongs to no process and so is counted for none, as
 * a file without a name, a segment, a queue, or a file system of a namespace of its own.
 */
const UNCOUNTED = {
	memfd_create: { x64: 319, arm64: 279 },
	memfd_secret: { x64: 447, arm64: 447 },
	shmget: { x64: 29, arm64: 194 },
	msgget: { x64: 68, arm64: 186 },
	mount: { x64: 165, arm64: 40 },
	open_tree: { x64: 428, arm64: 428 },
	move_mount: { x64: 429, arm64: 429 },
	fsopen: { x64: 430, arm64: 430 },
	fsmount: { x64: 432, arm64: 432 },
};
const SOCKET = { x64: 41, arm64: 198 };
const AF_UNIX = 1;
const MMAP = { x64: 9, arm64: 222 };
/** Pages of such a mapping stay when a process gives them back. */
const MAP_SHARED_ANONYMOUS = 0x21;

/** AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64. */
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Bit of system calls of the x32 interface, which have other numbers. */
const X32_BIT = 0x40000000;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const BITWISE_AND = 0x54;
const RETURN = 0x06;
/** Offsets in struct seccomp_data. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const FOURTH_ARGUMENT = 40;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

/** Calls that are refused for one value of an argument. The number is not looked at after them. */
const LAST_RULES = {
	own: () => [],
	// Connected pairs, which pipes to children are, stay.
	"own-no-sockets": (architecture) => [
		{ code: JUMP_IF_EQUAL, value: SOCKET[architecture], otherwise: "ALLOW" },
		{ code: LOAD_WORD, value: FIRST_ARGUMENT },
		{ code: JUMP_IF_EQUAL, value: AF_UNIX, to: "EPERM" },
	],
	"own-counted": (architecture) => [
		{ code: JUMP_IF_EQUAL, value: MMAP[architecture], otherwise: "ALLOW" },
		{ code: LOAD_WORD, value: FOURTH_ARGUMENT },
		{ code: BITWISE_AND, value: MAP_SHARED_ANONYMOUS },
		{ code: JUMP_IF_EQUAL, value: MAP_SHARED_ANONYMOUS, to: "EPERM" },
	],
};

/** `calls` as in src/sandbox/policy.ts. */
export function buildFilter(architecture, calls) {
	const rows = { ...REFUSED, ...(calls === "own-counted" ? UNCOUNTED : {}) };
	const refused = Object.values(rows).map((numbers) => numbers[architecture]);
	// The end: allow, EPERM, ENOSYS. Jumps count the instructions that are passed over.
	const body = [
		...(architecture === "x64" ? [{ code: JUMP_IF_AT_LEAST, value: X32_BIT, to: "ENOSYS" }] : []),
		...refused.map((value) => ({ code: JUMP_IF_EQUAL, value, to: "EPERM" })),
		...LAST_RULES[calls](architecture),
	];
	const head = [
		{ code: LOAD_WORD, value: ARCHITECTURE },
		// A program for another processor would have other numbers.
		{ code: JUMP_IF_EQUAL, value: ARCHITECTURES[architecture], otherwise: "ENOSYS" },
		{ code: LOAD_WORD, value: NUMBER },
	];
	const program = [...head, ...body];
	const ends = { ALLOW: program.length, EPERM: program.length + 1, ENOSYS: program.length + 2 };
	const passOver = (index, label) => (label === undefined ? 0 : ends[label] - index - 1);
	return toBytes([
		...program.map(({ code, value, to, otherwise }, index) => [
			code,
			passOver(index, to),
			passOver(index, otherwise),
			value,
		]),
		...[ALLOW, EPERM, ENOSYS].map((value) => [RETURN, 0, 0, value]),
	]);
}

/** struct sock_filter: u16 code, u8 jump if true, u8 jump if false, u32 value; both processors are little-endian. */
function toBytes(instructions) {
	const bytes = Buffer.alloc(instructions.length * 8);
	instructions.forEach(([code, yes, no, value], index) => {
		bytes.writeUInt16LE(code, index * 8);
		bytes.writeUInt8(yes, index * 8 + 2);
		bytes.writeUInt8(no, index * 8 + 3);
		bytes.writeUInt32LE(value, index * 8 + 4);
	});
	return bytes;
}

/** Name below data/seccomp, and content. */
export function listFilters() {
	return Object.keys(ARCHITECTURES).flatMap((architecture) =>
		Object.keys(LAST_RULES).map((calls) => [
			`${architecture}-${calls}.bpf`,
			buildFilter(architecture, calls),
		]),
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const directory = fileURLToPath(new URL("../data/seccomp", import.meta.url));
	mkdirSync(directory, { recursive: true });
	for (const [name, bytes] of listFilters()) writeFileSync(join(directory, name), bytes);
}
