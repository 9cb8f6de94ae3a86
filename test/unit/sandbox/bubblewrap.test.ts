import { dirname, join, posix, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Policy } from "../../../src/sandbox/policy.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox-probe.ts";

// What is asked of bubblewrap, word by word, on a machine that has exactly these files: `at -> target` is a link, a name
// that ends in a slash a directory.
const MACHINE = [
	"/bin -> usr/bin",
	"/usr/bin/sh",
	"/usr/lib/a.so",
	"/proc/sys/",
	"/proc/irq/",
	"/run/dbus/system.sock",
	"/run/docker.sock",
	"/run/snapd.socket",
	"/run/crio/crio.sock",
	"/run/ssh/agent",
	"/home/me/.ssh/id",
	"/home/me/.netrc",
	"/home/me/.cargo/registry/src/",
	"/home/me/.cargo/registry/src/private/",
	"/home/me/.pi/settings.json",
	"/home/me/.pi/auth.json",
	"/home/me/.pi/skills -> /home/me/shared/skills",
	"/home/me/.pi/dangling -> /home/me/nowhere",
	"/home/me/.pi/bin/tool",
	"/home/me/shared/skills/a.md",
	"/home/me/project/a.ts",
	"/home/me/work -> project",
	"/opt/tools -> versions/2",
	"/opt/versions/2 -> ../real/2",
	"/opt/real/2/bin/tool",
	"/opt/real/2/inner -> bin",
	"/tmp/session/",
	"/tmp/copy",
];

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const SANDBOX: Sandbox = {
	mechanism: "bubblewrap",
	program: "/usr/bin/bwrap",
	hasSizes: true,
	hasFilter: true,
	nests: true,
	hasNobody: true,
	layers: { how: "outside", reason: "" },
};
const POLICY: Policy = { view: "machine", network: "shared", calls: "all", cwd: "/home/me/project" };
const COMMAND = { command: "tool", args: ["--flag", "value"] };

type Files = typeof import("node:fs");

function pretend(real: Files): Partial<Record<keyof Files, unknown>> {
	const links = new Map<string, string>();
	const directories = new Set(["/"]);
	const files = new Set<string>();
	for (const entry of MACHINE) {
		const [name = "", target] = entry.split(" -> ");
		const at = posix.resolve(name);
		if (target !== undefined) links.set(at, target);
		else if (name.endsWith("/")) directories.add(at);
		else files.add(at);
		for (let above = dirname(at); above !== "/"; above = dirname(above)) directories.add(above);
	}
	const toReal = (path: string): string => {
		let at = "/";
		for (const name of path.split("/").filter(Boolean)) {
			at = join(at, name);
			const target = links.get(at);
			if (target !== undefined) at = toReal(resolve(dirname(at), target));
		}
		return at;
	};
	const isThere = (path: string): boolean => directories.has(toReal(path)) || files.has(toReal(path));
	const list = (directory: string): readonly string[] =>
		[...links.keys(), ...directories, ...files]
			.filter((at) => dirname(at) === directory && at !== directory)
			.map((at) => at.slice(directory.length + 1))
			.toSorted();
	return {
		existsSync: (path: string) => (path.startsWith(REPOSITORY) ? real.existsSync(path) : isThere(path)),
		lstatSync: (path: string) => ({ isSymbolicLink: () => links.has(path) }),
		statSync: (path: string) => ({ isDirectory: () => directories.has(toReal(path)) }),
		readlinkSync: (path: string) => links.get(path),
		readdirSync: list,
		realpathSync: Object.assign(toReal, { native: toReal }),
	};
}

let wrap: typeof import("../../../src/sandbox/wrap.ts").wrap;
beforeEach(async () => {
	vi.resetModules();
	const real = await vi.importActual<Files>("node:fs");
	vi.doMock("node:fs", () => ({ ...real, ...pretend(real) }));
	({ wrap } = await import("../../../src/sandbox/wrap.ts"));
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.doUnmock("node:fs");
	vi.resetModules();
});

/** The words after the program, each option in a line, up to the command. */
function ask(policy: Partial<Policy>, sandbox: Partial<Sandbox> = {}): readonly string[] {
	const { command, args } = wrap(COMMAND, { ...POLICY, ...policy }, { ...SANDBOX, ...sandbox });
	expect(command).toBe("/usr/bin/bwrap");
	const end = args.indexOf("--");
	expect(args.slice(end)).toEqual(["--", "tool", "--flag", "value"]);
	return args
		.slice(0, end)
		.join(" ")
		.split(/ (?=--)/);
}

const MACHINE_FIRST = [
	"--ro-bind / /",
	"--dev /dev",
	"--proc /proc",
	"--ro-bind /proc/sys /proc/sys",
	"--ro-bind /proc/irq /proc/irq",
	"--tmpfs /run/dbus",
];
const SOCKETS = [
	"--ro-bind /dev/null /run/docker.sock",
	"--ro-bind /dev/null /run/snapd.socket",
	"--ro-bind /dev/null /run/crio/crio.sock",
];
const LAST = ["--cap-drop ALL", "--die-with-parent", "--new-session"];

describe("of a process that sees the machine", () => {
	const between = (
		middle: readonly string[],
		sealed: readonly string[] = [],
		sockets: readonly string[] = [],
	) => [
		...MACHINE_FIRST,
		...middle,
		...SOCKETS,
		...sockets,
		"--remount-ro /dev",
		"--remount-ro /run/dbus",
		...sealed,
		"--unshare-pid",
		"--unshare-ipc",
		...LAST,
		"--chdir /home/me/project",
	];

	it.each<[string, Partial<Policy>, readonly string[], (readonly string[])?, (readonly string[])?]>([
		["nothing is writable, and services are covered", {}, []],
		[
			"hidden directories are empty and hidden files have nothing in them; the missing are left out",
			{ hidden: ["/home/me/.ssh", "/home/me/.netrc", "/home/me/.gnupg"] },
			["--tmpfs /home/me/.ssh", "--ro-bind /dev/null /home/me/.netrc"],
			["--remount-ro /home/me/.ssh"],
		],
		[
			"what is open inside of what is hidden is shown, what is hidden in that is not; from the outside in",
			{
				readable: ["/home/me/.cargo/registry/src", "/home/me/.rustup"],
				hidden: ["/home/me/.cargo/registry/src/private", "/home/me/.cargo", "/home/me/.cargo/registry"],
			},
			[
				"--tmpfs /home/me/.cargo",
				"--ro-bind /home/me/.cargo/registry/src /home/me/.cargo/registry/src",
				"--tmpfs /home/me/.cargo/registry/src/private",
			],
			["--remount-ro /home/me/.cargo", "--remount-ro /home/me/.cargo/registry/src/private"],
		],
		[
			"what is both is shown, and what is shown anyway is not named",
			{ readable: ["/home/me/.ssh", "/home/me/project"], hidden: ["/home/me/.ssh"] },
			[],
		],
		[
			"what is writable is so where it really is",
			{ writable: ["/home/me/work", "/tmp/session"] },
			["--bind /home/me/project /home/me/project", "--bind /tmp/session /tmp/session"],
		],
		[
			"a file shows the content of another one, which is written to where that is asked for",
			{
				replaced: [
					{ at: "/home/me/.netrc", file: "/tmp/copy", isWritable: false },
					{ at: "/home/me/work/a.ts", file: "/tmp/copy", isWritable: true },
				],
			},
			["--ro-bind /tmp/copy /home/me/.netrc", "--bind /tmp/copy /home/me/project/a.ts"],
		],
		[
			"sockets are covered once, and not where their directory is",
			{ closedSockets: ["/run/ssh/agent", "/run/docker.sock", "/run/dbus/system.sock"] },
			[],
			[],
			["--ro-bind /dev/null /run/ssh/agent"],
		],
		[
			"a directory that forgets shows what is in it, but nothing hidden and no link that leads nowhere",
			{
				forgetful: ["/home/me/.pi"],
				hidden: ["/home/me/.pi/auth.json"],
				readable: ["/home/me/.pi/bin/tool", "/home/me/.pi/none", "/opt/real"],
			},
			[
				"--ro-bind /dev/null /home/me/.pi/auth.json",
				"--size 16777216",
				"--tmpfs /home/me/.pi",
				"--ro-bind /home/me/.pi/bin /home/me/.pi/bin",
				"--ro-bind /home/me/.pi/settings.json /home/me/.pi/settings.json",
				"--ro-bind /home/me/shared/skills /home/me/.pi/skills",
				"--ro-bind /home/me/.pi/bin/tool /home/me/.pi/bin/tool",
			],
		],
	])("%s", (_name, policy, middle, sealed, sockets) => {
		expect(ask(policy)).toEqual(between(middle, sealed, sockets));
	});

	it("a directory that forgets has no bound where none can be set", () => {
		const words = ask({ forgetful: ["/tmp/session"] }, { hasSizes: false });
		expect(words).toContain("--tmpfs /tmp/session");
		expect(words.filter((word) => word.startsWith("--size"))).toEqual([]);
	});

	it("the network is shared unless none is wanted", () => {
		expect(ask({ network: "none" })).toContain("--unshare-net");
		expect(ask({ network: "shared" })).not.toContain("--unshare-net");
	});

	it("the environment is its own only where one is given", () => {
		expect(ask({})).not.toContain("--clearenv");
		expect(ask({ environment: { LANG: "C", HOME: "/tmp" } }).slice(-4)).toEqual([
			"--clearenv",
			"--setenv LANG C",
			"--setenv HOME /tmp",
			"--chdir /home/me/project",
		]);
	});
});

describe("of a process on an empty machine", () => {
	const NOTHING = { view: "nothing", network: "none", cwd: "/" } as const;
	const LAST_OF_EMPTY = ["--remount-ro /", "--unshare-all"];

	it("there are the system's programs and a temporary directory, and no services to cover", () => {
		expect(ask(NOTHING)).toEqual([
			"--symlink usr/bin /bin",
			"--ro-bind /usr /usr",
			"--proc /proc",
			"--dev /dev",
			"--dir /tmp",
			"--ro-bind /proc/sys /proc/sys",
			"--ro-bind /proc/irq /proc/irq",
			"--remount-ro /dev",
			...LAST_OF_EMPTY,
			...LAST,
			"--chdir /",
		]);
	});

	it("what is open is there under its names, with every link on the way, and what is hidden in it is not", () => {
		const words = ask({
			...NOTHING,
			readable: ["/opt/tools/bin", "/opt/real/2", "/opt/real/2/inner/tool", "/none", "/home/me/.pi"],
			hidden: ["/home/me/.pi/bin", "/home/me/.ssh"],
		});
		const end = words.indexOf("--proc /proc");
		expect(words.slice(0, end)).toEqual([
			"--symlink usr/bin /bin",
			"--symlink versions/2 /opt/tools",
			"--symlink ../real/2 /opt/versions/2",
			"--ro-bind /usr /usr",
			"--ro-bind /opt/real/2 /opt/real/2",
			"--ro-bind /home/me/.pi /home/me/.pi",
			"--tmpfs /home/me/.pi/bin",
		]);
		expect(words).toContain("--remount-ro /home/me/.pi/bin");
		expect(words).not.toContain("--tmpfs /home/me/.ssh");
	});

	it.each<[string, Partial<Policy>, readonly string[]]>([
		["its temporary directory has a size", { memory: 4096 }, ["--size 4096", "--tmpfs /tmp"]],
		["no memory is counted for nobody", { calls: "own-counted" }, ["--ro-bind /dev/null /dev/zero"]],
		["the network is shared where it is asked for", { network: "shared" }, ["--unshare-all", "--share-net"]],
	])("%s", (_name, policy, expected) => {
		const words = ask({ ...NOTHING, ...policy }, { hasFilter: false });
		const without = ask(NOTHING, { hasFilter: false });
		expect(words.filter((word) => expected.includes(word))).toEqual(expected);
		expect(without.filter((word) => expected.includes(word) && word !== "--unshare-all")).toEqual([]);
	});

	it("sockets of the machine need no cover", () => {
		expect(ask({ ...NOTHING, closedSockets: ["/run/ssh/agent"] }).join(" ")).not.toContain("/run/");
	});
});

describe("before bubblewrap", () => {
	const SETPRIV = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

	it.each([
		["root becomes nobody where that is asked for and works", { isNobody: true }, {}, 0, true],
		["nobody else does", { isNobody: true }, {}, 1000, false],
		["root stays root where it is not asked for", {}, {}, 0, false],
		["root stays root where it does not work", { isNobody: true }, { hasNobody: false }, 0, false],
	])("%s", (_name, policy, sandbox, user, becomes) => {
		vi.spyOn(process, "getuid").mockReturnValue(user);
		const { command, args } = wrap(COMMAND, { ...POLICY, ...policy }, { ...SANDBOX, ...sandbox });
		expect([command, ...args].slice(0, 6)).toEqual([
			...(becomes ? SETPRIV : []),
			"/usr/bin/bwrap",
			...(becomes ? [] : args.slice(0, 5)),
		]);
	});

	it.each<[string, Policy["calls"], boolean, string | undefined]>([
		["no filter is opened for all calls", "all", true, undefined],
		["none where filters do not work", "own", false, undefined],
		["a shell opens that of the policy", "own", true, "own.bpf"],
		["also the one without sockets", "own-no-sockets", true, "own-no-sockets.bpf"],
	])("%s", (_name, calls, hasFilter, file) => {
		const { command, args } = wrap(COMMAND, { ...POLICY, calls }, { ...SANDBOX, hasFilter });
		if (file === undefined) {
			expect(command).toBe("/usr/bin/bwrap");
			expect(args).not.toContain("--seccomp");
			return;
		}
		expect(command).toBe("/bin/sh");
		expect(args).toEqual([
			"-c",
			'exec "$@" 9<"$0"',
			expect.stringMatching(new RegExp(`/data/seccomp/${process.arch}-${file}$`)),
			"/usr/bin/bwrap",
			"--seccomp",
			"9",
			...wrap(COMMAND, POLICY, SANDBOX).args,
		]);
	});

	it("no filter is opened on a processor that none was made for", async () => {
		const { locateCallFilter } = await import("../../../src/sandbox/locate-call-filter.ts");
		expect(locateCallFilter("own", "abacus")).toBeUndefined();
		expect(locateCallFilter("own", "x64")).toMatch(/x64-own\.bpf$/);
	});
});

describe("a layer over the project", () => {
	const layer = { at: "/home/me/project", state: "/tmp/session/1", hidden: "/tmp/session" } as const;
	const words = (policy: Partial<Policy>, sandbox: Partial<Sandbox> = {}): string => {
		const { command, args } = wrap(COMMAND, { ...POLICY, ...policy }, { ...SANDBOX, ...sandbox });
		return [command, ...args].join(" ");
	};
	it("is mounted before bubblewrap starts, which has no capability then", () => {
		vi.spyOn(process, "getuid").mockReturnValue(1000);
		const text = words({ layer: { ...layer, kind: "overlay" } });
		expect(text).toMatch(
			/^\/usr\/bin\/unshare --user --map-current-user --keep-caps --mount \/bin\/sh -euc /,
		);
		expect(text).toContain(
			`setpriv --pdeathsig KILL --ambient-caps=-all --inh-caps=-all -- /bin/sh -c '[ "$PPID" = "$0" ] && exec "$@"' "$@"\n /tmp/session/1 ${process.pid} /usr/bin/bwrap `,
		);
		expect(text).toContain("--bind /tmp/session/1/merged /home/me/project");
	});
	it("is mounted by bubblewrap itself where it can", () => {
		const text = words({ layer: { ...layer, kind: "overlay" } }, { layers: { how: "own", reason: "" } });
		expect(text).toMatch(/^\/usr\/bin\/bwrap /);
		expect(text).toContain(
			"--overlay-src /home/me/project --overlay /tmp/session/1/upper /tmp/session/1/work /home/me/project",
		);
	});
	it("is a copy, with what it leaves out read-only", () => {
		const text = words({ layer: { ...layer, kind: "copy", shown: ["/home/me/project/node_modules"] } });
		expect(text).toMatch(/^\/usr\/bin\/bwrap /);
		expect(text).toContain(
			"--bind /tmp/session/1/copy /home/me/project --ro-bind /home/me/project/node_modules /home/me/project/node_modules",
		);
	});
	it("hides every layer, and leaves nobody out of the one that is theirs", () => {
		vi.spyOn(process, "getuid").mockReturnValue(0);
		const text = words({ layer: { ...layer, kind: "overlay" }, isNobody: true });
		expect(text).toContain("--tmpfs /tmp/session ");
		expect(text).toContain("--remount-ro /tmp/session ");
		expect(text).not.toContain("--reuid");
	});
});
