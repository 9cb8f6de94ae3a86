import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findExecutable } from "../../../src/process/find-executable.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const BWRAP = findExecutable("bwrap", process.env);
let home: TestHome;
let bin: string;
beforeEach(() => {
	home = createTestHome();
	bin = join(dirname(home.home), "bin");
});
afterEach(() => home.remove());

/** What is found when the program is this script. */
function probe(script: string, agentDirectory?: string) {
	const program = home.write(join(bin, "bwrap"), `#!/bin/sh\n${script}\n`);
	chmodSync(program, 0o755);
	return probeSandbox({ env: { PATH: `${bin}:/usr/bin:/bin` }, agentDirectory });
}

/** Fails when it is asked for what the pattern names, and else does what it should. */
const refusing = (pattern: string): string => `case " $* " in ${pattern}) exit 1;; esac\nexec ${BWRAP} "$@"`;

const SAYS_NO_CAPABILITIES = "printf 'CapEff:\\t0000000000000000\\n'";

describe.runIf(process.platform === "linux")("a sandbox is not believed", () => {
	it("when its program is not there", async () => {
		expect(await probeSandbox({ env: { PATH: bin } })).toMatchObject({
			works: false,
			reason: expect.stringContaining("bwrap is not on PATH"),
		});
	});
	it("when its program fails", async () => {
		expect(await probe("echo no namespaces >&2; exit 1")).toEqual({
			works: false,
			reason: `${join(bin, "bwrap")} does not run here: no namespaces`,
		});
	});
	it("when its program fails without a word", async () => {
		expect(await probe("exit 7")).toMatchObject({ reason: expect.stringContaining("exit code 7") });
	});
	it("when its program confines nothing", async () => {
		// Drops all options; those with an operand are told apart by what follows the last of them.
		const unconfined = 'while [ "$1" != /bin/sh ]; do shift; done; exec "$@"';
		expect(await probe(unconfined)).toEqual({
			works: false,
			reason: `${join(bin, "bwrap")} runs here but does not confine: a write outside got through.`,
		});
	});
	it.each([
		["a write to the kernel got through", `echo escaped >&2; ${SAYS_NO_CAPABILITIES}`, "does not confine"],
		["a file was made outside", `: > "$last/x"; ${SAYS_NO_CAPABILITIES}`, "does not confine"],
		["the outside was closed", `chmod 000 "$last"; ${SAYS_NO_CAPABILITIES}`, "does not confine"],
		["a capability is left", "printf 'CapEff:\\t0000000000000400\\n'", "leaves capabilities to the child"],
		["nobody says which are left", "echo nothing", "leaves capabilities to the child"],
	])("when %s", async (_name, script, reason) => {
		const found = await probe(`for last in "$@"; do :; done\n${script}`);
		expect(found).toMatchObject({ works: false, reason: expect.stringContaining(reason) });
	});
	it("on another system, whatever is installed there", async () => {
		const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
		Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
		try {
			expect(await probe(`exec ${BWRAP} "$@"`)).toEqual({
				works: false,
				reason: "There is no sandbox for darwin: bubblewrap needs linux.",
			});
		} finally {
			Object.defineProperty(process, "platform", platform);
		}
	});
});

describe.skipIf(BWRAP === undefined)("a sandbox that works", () => {
	it.each([
		["with a filter of calls and sizes", "nothing-at-all", { hasFilter: true, hasSizes: true }],
		["without a filter", '*" --seccomp "*', { hasFilter: false, hasSizes: true }],
		["without sizes", '*" --size "*', { hasFilter: true, hasSizes: false }],
		["not inside of itself", '*"/bwrap "*', { hasFilter: true, nests: false }],
	])("%s is said to be so", async (_name, pattern, expected) => {
		expect(await probe(refusing(pattern))).toMatchObject({ works: true, sandbox: expected });
	});

	it("is tried once, until its program changes", async () => {
		const count = join(home.home, "count");
		const counting = `echo x >> ${count}\nexec ${BWRAP} "$@"`;
		const tries = () => readFileSync(count, "utf8").length;
		const first = await probe(counting, home.agentDirectory);
		const once = tries();
		expect(
			await probeSandbox({ env: { PATH: `${bin}:/usr/bin:/bin` }, agentDirectory: home.agentDirectory }),
		).toEqual(first);
		expect(tries()).toBe(once);
		await probe(`${counting} `, home.agentDirectory);
		expect(tries()).toBeGreaterThan(once);
	});

	it("is tried again when what was noted cannot be read, and also where nothing can be noted", async () => {
		const note = join(home.agentDirectory, "deputize", "sandbox-probe.json");
		const script = `exec ${BWRAP} "$@"`;
		const first = await probe(script, home.agentDirectory);
		const { key } = JSON.parse(readFileSync(note, "utf8"));
		home.write(note, JSON.stringify({ key, probe: { works: true } }));
		expect(await probe(script, home.agentDirectory)).toEqual(first);
		rmSync(join(home.agentDirectory, "deputize"), { recursive: true });
		home.write(join(home.agentDirectory, "deputize"), "a file where the directory would be");
		expect(await probe(script, home.agentDirectory)).toMatchObject({
			works: true,
			// Where nothing can be written there is no place for a layer either.
			sandbox: { hasSizes: true, layers: { how: "none", reason: expect.stringContaining("ENOTDIR") } },
		});
	});

	it("is tried again where a busy machine did not finish the trial", async () => {
		const real = await import("../../../src/process/run-command.ts");
		const cut = { reason: "timeout", exitCode: null, signal: "SIGKILL", stderr: "", stdout: Buffer.alloc(0) };
		const runCommand = vi.fn(real.runCommand).mockResolvedValueOnce(cut as never);
		vi.doMock("../../../src/process/run-command.ts", () => ({ ...real, runCommand }));
		vi.resetModules();
		try {
			const { probeSandbox: probeBusy } = await import("../../../src/sandbox/probe-sandbox.ts");
			const place = { env: process.env, agentDirectory: home.agentDirectory };
			expect(await probeBusy(place)).toMatchObject({ works: false });
			expect(existsSync(join(home.agentDirectory, "deputize", "sandbox-probe.json"))).toBe(false);
			expect(await probeBusy(place)).toMatchObject({ works: true });
		} finally {
			vi.doUnmock("../../../src/process/run-command.ts");
			vi.resetModules();
		}
	});

	it("lets nobody but root become nobody", async () => {
		vi.spyOn(process, "getuid").mockReturnValue(process.getuid?.() || 1000);
		const found = await probeSandbox({ env: process.env });
		vi.restoreAllMocks();
		expect(found).toMatchObject({ works: true, sandbox: { hasNobody: false } });
	});
});
