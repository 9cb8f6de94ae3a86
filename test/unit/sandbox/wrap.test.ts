import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CommandSpec, runCommand } from "../../../src/process/run-command.ts";
import { startProcess } from "../../../src/process/start-process.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../../../src/sandbox/sandbox-probe.ts";
import { confine } from "../../helpers/confine.ts";
import { childFixture, markedEnvironment, runningWith, TEST_LIMITS } from "../../helpers/process-children.ts";
import { fingerprintTree } from "../../helpers/process-tree.ts";

let probe: SandboxProbe;
let root: string;

beforeAll(async () => {
	probe = await probeSandbox({ env: process.env });
	if (!probe.works && process.env["CI"] === "true") {
		throw new Error(`These tests need a working bubblewrap (package "bubblewrap"): ${probe.reason}`);
	}
});

beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "deputize-sandbox-")));
	for (const name of ["project/src", "project/.git", "session"])
		mkdirSync(join(root, name), { recursive: true });
	writeFileSync(join(root, "project/src/code.ts"), "export const answer = 42;\n");
	writeFileSync(join(root, "project/run.sh"), "#!/bin/sh\n");
	chmodSync(join(root, "project/run.sh"), 0o755);
	symlinkSync("../project", join(root, "session/way-out"));
	symlinkSync("src/code.ts", join(root, "project/link.ts"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function runConfined(command: string, args: readonly string[], spec: Partial<CommandSpec> = {}) {
	const policy = { cwd: join(root, "project"), writable: [join(root, "session")] };
	return runCommand({
		...confine(probe, { command, args }, policy),
		cwd: join(root, "project"),
		env: { PATH: process.env["PATH"] ?? "" },
		timeoutMs: 30_000,
		maxStdoutBytes: 100_000,
		...spec,
	});
}

const ATTACKS: Record<string, string> = {
	"a plain write": "echo evil > src/code.ts; echo evil > new-file; rm -f src/code.ts; mv run.sh gone.sh",
	"a change of mode, owner or time":
		"chmod 777 run.sh src; chown 1:1 run.sh; touch -d 2001-01-01 run.sh src/code.ts",
	"a symbolic link that was there before":
		'echo evil > "$SESSION/way-out/src/code.ts"; rm -f "$SESSION/way-out/run.sh"',
	"a symbolic link of its own": 'ln -s "$PROJECT" "$SESSION/mine"; echo evil > "$SESSION/mine/src/code.ts"',
	"a hard link": 'ln src/code.ts "$SESSION/hard" && echo evil > "$SESSION/hard"',
	"a remount":
		'mount -o remount,rw,bind /; mount -o remount,rw /; mount -o remount,rw "$PROJECT"; echo evil > src/code.ts',
	"a bind mount":
		'mkdir -p "$SESSION/m"; mount --bind "$PROJECT" "$SESSION/m"; echo evil > "$SESSION/m/src/code.ts"',
	"an unmount": 'umount -l /; umount "$PROJECT"; echo evil > src/code.ts',
	"a namespace of its own":
		"unshare -Urm sh -c 'mount -o remount,rw,bind /; mount -o remount,rw /; echo evil > \"$PROJECT/src/code.ts\"'",
	"a new root": "chroot / sh -c 'echo evil > \"$PROJECT/src/code.ts\"'",
	"the root of another process": 'for p in /proc/[0-9]*; do echo evil > "$p/root$PROJECT/src/code.ts"; done',
	"a device file": 'mknod "$SESSION/disk" b 254 0 && dd if=/dev/zero of="$SESSION/disk" bs=1 count=0',
	"the settings of the kernel, written as they are":
		"cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo BREACH; [ -w /proc/sysrq-trigger ] && echo BREACH; find /proc /sys -path '/proc/[0-9]*' -prune -o -type f -writable -print | sed s/^/BREACH:/",
	"a capability asked back":
		'setpriv --ambient-caps +all --inh-caps +all sh -c "mount -o remount,rw,bind /; echo evil > src/code.ts"',
};

describe.skipIf(process.platform !== "linux")("the sandbox", () => {
	it("is said to work only after it was tried", async () => {
		const probe = await probeSandbox({ env: process.env });
		expect(probe).toMatchObject({ works: true, sandbox: { program: expect.stringContaining("bwrap") } });
		expect(await probeSandbox({ env: { PATH: "/nowhere" } })).toMatchObject({
			works: false,
			reason: expect.stringContaining("Install the package bubblewrap"),
		});
	});

	it("is tried without leaving anything", async () => {
		const directory = mkdtempSync(join(tmpdir(), "deputize-empty-"));
		const before = process.env["TMPDIR"];
		process.env["TMPDIR"] = directory;
		try {
			await probeSandbox({ env: process.env });
			expect(readdirSync(directory)).toEqual([]);
		} finally {
			if (before === undefined) delete process.env["TMPDIR"];
			else process.env["TMPDIR"] = before;
			rmSync(directory, { recursive: true });
		}
	});

	it.each([
		[
			"runs the program without confining it",
			'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
			/does not confine|leaves capabilities/,
		],
		[
			"is forbidden here",
			"echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
			/No permissions to create/,
		],
		["leaves the capabilities", 'exec "$REAL" $(echo "$@" | true) 2>/dev/null; exit 1', /does not run here/],
	])("is not claimed when bwrap %s", async (_title, script, reason) => {
		const directory = mkdtempSync(join(tmpdir(), "deputize-fake-bwrap-"));
		writeFileSync(join(directory, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		const probe = await probeSandbox({ env: { PATH: `${directory}:${process.env["PATH"]}` } });
		rmSync(directory, { recursive: true });
		expect(probe.works).toBe(false);
		expect(probe).not.toHaveProperty("sandbox");
		expect(probe.reason).toMatch(reason);
	});

	it.for(Object.entries(ATTACKS))("withstands %s", async ([, script], { skip }) => {
		if (!probe.works) skip();
		const before = fingerprintTree(join(root, "project"));
		const ending = await runConfined("sh", ["-c", `${script}\necho tried`], {
			env: {
				PATH: process.env["PATH"] ?? "",
				PROJECT: join(root, "project"),
				SESSION: join(root, "session"),
			},
		});
		expect(ending.stdout.toString()).toContain("tried");
		expect(fingerprintTree(join(root, "project"))).toEqual(before);
		expect(ending.stdout.toString()).not.toContain("BREACH");
	});

	it("lets the child read, run programs and write its own directory", async ({ skip }) => {
		if (!probe.works) skip();
		const script = 'cat src/code.ts; pwd; echo kept > "$SESSION/notes" && cat "$SESSION/notes"';
		const ending = await runConfined("sh", ["-c", script], {
			env: { PATH: process.env["PATH"] ?? "", SESSION: join(root, "session") },
		});
		expect(ending.stdout.toString()).toBe(`export const answer = 42;\n${join(root, "project")}\nkept\n`);
		expect(readFileSync(join(root, "session/notes"), "utf8")).toBe("kept\n");
	});

	it("shows a directory whose new files do not last and whose old ones do not change", async ({ skip }) => {
		if (!probe.works) skip();
		const settings = join(root, "settings");
		mkdirSync(join(settings, "extensions"), { recursive: true });
		mkdirSync(join(settings, "cache"));
		writeFileSync(join(settings, "settings.json"), "{}");
		writeFileSync(join(settings, "login.json"), "old");
		symlinkSync(join(root, "project/run.sh"), join(settings, "link"));
		symlinkSync("/no/such/file", join(settings, "dangling"));
		const before = fingerprintTree(join(settings, "extensions"));
		const script = `cat settings.json link
mkdir settings.json.lock && echo locked && rmdir settings.json.lock
echo evil > extensions/evil.js; echo evil > settings.json; rm -f settings.json; echo evil > link
mv extensions moved; mkdir skills; echo evil > skills/evil.md; echo evil > AGENTS.md
echo kept > cache/kept; echo new > login.json`;
		const wrapped = confine(
			probe,
			{ command: "sh", args: ["-c", script] },
			{
				writable: [join(settings, "cache"), join(settings, "login.json")],
				forgetful: [settings],
				cwd: settings,
			},
		);
		const ending = await runCommand({
			...wrapped,
			cwd: root,
			env: { PATH: process.env["PATH"] ?? "" },
			timeoutMs: 30_000,
			maxStdoutBytes: 1000,
		});
		expect(ending.stdout.toString()).toBe("{}#!/bin/sh\nlocked\n");
		expect(readdirSync(settings).toSorted()).toEqual([
			"cache",
			"dangling",
			"extensions",
			"link",
			"login.json",
			"settings.json",
		]);
		expect(fingerprintTree(join(settings, "extensions"))).toEqual(before);
		expect(readFileSync(join(settings, "settings.json"), "utf8")).toBe("{}");
		expect(readFileSync(join(root, "project/run.sh"), "utf8")).toBe("#!/bin/sh\n");
		expect(readFileSync(join(settings, "cache/kept"), "utf8")).toBe("kept\n");
		expect(readFileSync(join(settings, "login.json"), "utf8")).toBe("new\n");
	});

	it("lets the child reach the network of the machine", async ({ skip }) => {
		if (!probe.works) skip();
		const server = createServer((socket) => socket.end("hello"));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as { port: number };
		const connect = `require("net").connect(${port}, "127.0.0.1").pipe(process.stdout)`;
		const ending = await runConfined(process.execPath, ["-e", connect]);
		server.close();
		expect(ending.stdout.toString()).toBe("hello");
	});

	it("shows the child no process but its own", async ({ skip }) => {
		if (!probe.works) skip();
		const ending = await runConfined(
			"sh",
			["-c", "ls -d /proc/[0-9]* | wc -l; kill -0 $OUTSIDE && echo reached"],
			{
				env: { PATH: process.env["PATH"] ?? "", OUTSIDE: String(process.pid + 1_000_000) },
			},
		);
		expect(Number(ending.stdout.toString().split("\n")[0])).toBeLessThan(10);
		expect(ending.stdout.toString()).not.toContain("reached");
	});

	it("ends everything in it with one stop, sessions of their own included, and passes the lifeline on", async ({
		skip,
	}) => {
		if (!probe.works) skip();
		const { env, mark } = markedEnvironment();
		const command = { command: process.execPath, args: [childFixture("lifeline-child"), "deaf"] };
		const wrapped = confine(probe, command, { cwd: process.cwd() });
		let announce: () => void = () => undefined;
		const ready = new Promise<void>((resolve) => {
			announce = resolve;
		});
		const child = startProcess({
			...wrapped,
			cwd: process.cwd(),
			env,
			limits: TEST_LIMITS,
			onLine: () => announce(),
		});
		await ready;
		const inside = runningWith(mark);
		expect(inside.length).toBeGreaterThanOrEqual(3);
		const program = inside.filter(
			(pid) => readlinkSync(`/proc/${pid}/exe`) === realpathSync(process.execPath),
		);
		expect(program.map((pid) => readlinkSync(`/proc/${pid}/fd/3`))).toEqual([
			expect.stringMatching(/^socket:/),
		]);
		child.stop();
		expect((await child.ended).reason).toBe("aborted");
		expect(runningWith(mark)).toEqual([]);
	});
});
