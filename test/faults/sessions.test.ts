import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDirectories } from "../../src/commands/check-directories.ts";
import { createCommandContext } from "../../src/commands/command-context.ts";
import {
	createFaultBench,
	createUpdateWaiter,
	expectFailure,
	expectSuccess,
	type FaultBench,
	posedPi,
} from "../helpers/process-faults.ts";

let bench: FaultBench;
let mounted: string | undefined;
beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	try {
		if (mounted !== undefined) execFileSync("umount", ["-l", mounted]);
		mounted = undefined;
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

const sessionFiles = () =>
	(readdirSync(bench.home, { recursive: true }) as string[]).filter((name) =>
		/subagent-sessions.*\.jsonl$/.test(name),
	);

/** A file system without room over the directory. */
function fillDisk(directory: string): void {
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k,mode=700", "none", directory], { stdio: "pipe" });
	} catch (error) {
		throw new Error(`This test mounts a small tmpfs and needs the right to do so (root): ${error}`);
	}
	mounted = directory;
	try {
		writeFileSync(join(directory, "filler"), Buffer.alloc(64 * 1024));
	} catch {
		// Full, as wanted.
	}
}

describe("an agent file", () => {
	it("row 44: with an unknown tool is refused by name before anything is started", async () => {
		writeFileSync(
			join(bench.agents, "prober.md"),
			"---\nname: prober\ndescription: d\ntools: read, telepathy\n---\nprobe\n",
		);
		const result = await bench.delegateTo(posedPi("good-run"));
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("INVALID_INPUT");
		expect(result.details.error?.message).toContain("telepathy");
		expect(bench.starts()).toBe(0);
	});
});

/** Only root may mount: .ci/run runs these as root, after everything else as an ordinary user. */
const cannotMount = process.getuid?.() !== 0;

describe("a full disk", () => {
	it.skipIf(cannotMount)(
		"row 45: where temporary files go is a clear error that leaves nothing",
		async () => {
			const runs = join(bench.home, ".pi", "agent", "deputize", "runs");
			mkdirSync(runs, { recursive: true });
			fillDisk(runs);
			const result = await bench.delegateTo(posedPi("good-run"));
			expect(result.isError).toBe(true);
			expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
			expect(result.details.error?.message).toMatch(/temporary file.*ENOSPC/);
			expect(readdirSync(runs)).toEqual(["filler"]);
			unlinkSync(join(runs, "filler"));
			expect(bench.starts()).toBe(0);
		},
	);

	it.skipIf(cannotMount)(
		"row 45: where sessions go is a clear error before anything is started",
		async () => {
			mkdirSync(join(bench.home, ".pi"));
			fillDisk(join(bench.home, ".pi"));
			const result = await bench.delegateTo(posedPi("good-run"));
			expect(result.isError).toBe(true);
			expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
			expect(result.details.error?.message).toMatch(/ENOSPC|space/);
		},
	);

	it.skipIf(cannotMount)("row 45: is what doctor says, for sessions and the journal", () => {
		mkdirSync(join(bench.home, ".pi"));
		fillDisk(join(bench.home, ".pi"));
		const context = createCommandContext({ cwd: bench.home, env: { HOME: bench.home, PATH: "" } });
		const lines = checkDirectories(context).filter(({ text }) => text.includes("is full"));
		console.log(`doctor on a full tmpfs: ${lines.map(({ text }) => text).join("; ")}`);
		expect(lines).toMatchObject([
			{ status: "fail", text: expect.stringMatching(/^sessions: .* \(0 KiB free\)/) },
			{ status: "fail", text: expect.stringMatching(/^journal: .* \(0 KiB free\)/) },
		]);
	});

	it("row 45: noticed by the child after its answer still returns the answer", async () => {
		const result = await bench.delegateTo(posedPi("exit-after-answer"));
		expectFailure(result, { message: /ENOSPC: no space left/, output: "a good answer" });
		expect(result.details.error?.cause?.kind).not.toMatch(/provider|auth|quota/);
	});
});

describe("a session", () => {
	it("row 46: in use is refused at once as busy, and nothing is written", async () => {
		const controller = new AbortController();
		const waiter = createUpdateWaiter();
		const first = bench.delegateTo(posedPi("hold-session"), {
			signal: controller.signal,
			onUpdate: waiter.onUpdate,
		});
		await waiter.seen("working");
		const [file] = sessionFiles();
		const sessionId = /_([0-9a-f-]{36})\.jsonl$/.exec(file ?? "")?.[1] ?? "";
		const before = statSync(join(bench.home, file ?? ""));
		const second = await bench.delegateTo(posedPi("good-run"), { sessionId });
		expect(second.isError).toBe(true);
		expect(second.details.error?.message).toMatch(/busy/);
		expect(bench.starts()).toBe(1);
		expect(statSync(join(bench.home, file ?? "")).mtimeMs).toBe(before.mtimeMs);
		controller.abort();
		const result = await first;
		expect(result.details.sessionId).toBe(sessionId);
		expectSuccess(await bench.delegateTo(posedPi("good-run"), { sessionId }), "done: probe");
	});

	it("row 46: resumed by eight callers at once is run by exactly one", async () => {
		const { details } = await bench.delegateTo(posedPi("good-run"));
		const sessionId = details.sessionId ?? "";
		const results = await Promise.all(
			Array.from({ length: 8 }, () => bench.delegateTo(posedPi("good-run"), { sessionId })),
		);
		expect(results.filter((result) => !result.isError)).toHaveLength(1);
		expect(results.filter((result) => /busy/.test(result.details.error?.message ?? ""))).toHaveLength(7);
		expect(bench.starts()).toBe(2);
	});

	it("that does not exist is refused, never silently a new one", async () => {
		const sessionId = "00000000-0000-4000-8000-000000000000";
		const result = await bench.delegateTo(posedPi("good-run"), { sessionId });
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toContain(sessionId);
		expect(bench.starts()).toBe(0);
		expect(sessionFiles()).toEqual([]);
	});

	it.each([
		["a foreign header", () => '{"type":"session","version":3,"id":"x","cwd":"/somewhere/else"}\n'],
		["no header", () => "not a session\n"],
		["an empty file", () => ""],
	])("with %s is refused and not rewritten", async (_title, content) => {
		const { details } = await bench.delegateTo(posedPi("good-run"));
		const file = join(bench.home, sessionFiles()[0] ?? "");
		writeFileSync(file, content());
		const result = await bench.delegateTo(posedPi("good-run"), { sessionId: details.sessionId ?? "" });
		expect(result.isError).toBe(true);
		expect(readFileSync(file, "utf8")).toBe(content());
		expect(bench.starts()).toBe(1);
	});

	it("that is a symbolic link is refused and its target not touched", async () => {
		const { details } = await bench.delegateTo(posedPi("good-run"));
		const file = join(bench.home, sessionFiles()[0] ?? "");
		const target = join(bench.root, "precious");
		writeFileSync(target, readFileSync(file));
		rmSync(file);
		symlinkSync(target, file);
		const before = statSync(target);
		const result = await bench.delegateTo(posedPi("good-run"), { sessionId: details.sessionId ?? "" });
		expect(result.isError).toBe(true);
		expect(statSync(target)).toEqual(before);
		expect(bench.starts()).toBe(1);
		rmSync(file);
	});

	it("with a torn last line is continued", async () => {
		const { details } = await bench.delegateTo(posedPi("good-run"));
		const file = join(bench.home, sessionFiles()[0] ?? "");
		writeFileSync(file, `${readFileSync(file, "utf8")}{"type":"message","id":"12`);
		expectSuccess(
			await bench.delegateTo(posedPi("good-run"), { sessionId: details.sessionId ?? "" }),
			"done: probe",
		);
	});

	it("and its directory are private", async () => {
		await bench.delegateTo(posedPi("good-run"));
		const file = join(bench.home, sessionFiles()[0] ?? "");
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
	});
});
