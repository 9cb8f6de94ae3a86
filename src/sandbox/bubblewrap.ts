import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { canonicalPath, isInside, listAncestors } from "@deputize/ground";
import { locateCallFilter } from "./locate-call-filter.ts";
import type { Mechanism } from "./mechanism.ts";
import type { Command, LayerMount, Policy } from "./policy.ts";
import type { Sandbox } from "./sandbox-probe.ts";

/** Linux namespaces, made by the program bwrap. */
export const BUBBLEWRAP: Mechanism = {
	name: "bubblewrap",
	platform: "linux",
	program: "bwrap",
	packageName: "bubblewrap",
	wrap: wrapInBubblewrap,
};

/**
 * Directories and sockets through which a service of the host acts on request, with its own permissions. A read-only
 * file system does not stop a message, so they are covered.
 */
const SERVICE_DIRECTORIES = ["/run/user", "/run/dbus", "/run/containerd", "/run/podman", "/run/libvirt"];
const SERVICE_SOCKETS = [
	"/run/docker.sock",
	"/run/systemd/private",
	"/run/snapd.socket",
	"/run/crio/crio.sock",
];

/** What programs of the system need, and nothing of /etc, /home, /root, /var, /run. */
const SYSTEM_DIRECTORIES = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"];

/** Semaphores of a test's processes; files written there are memory that counts nowhere. */
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** Lock files and the like. */
const FORGETFUL_BYTES = 16 * 1024 * 1024;

/**
 * Settings of the kernel itself. Their file permissions ask for the user root, not for a capability, and bubblewrap
 * leaves them writable: root could name a program there that the kernel then runs outside.
 */
const KERNEL_CONTROLS = [
	"sys",
	"sysrq-trigger",
	"irq",
	"bus",
	"fs",
	"acpi",
	"mtrr",
	"scsi",
	"driver",
	"pressure",
].map((name) => `/proc/${name}`);

/** What a process sees, and which of the places that were made for it take no files in the end. */
interface View {
	readonly mounts: readonly string[];
	readonly sealed: readonly string[];
	readonly namespaces: readonly string[];
}

/**
 * The command that runs another one as a policy says: on a read-only file system, with no capabilities, seeing no
 * process but its own.
 * - Dropping every capability is what makes it effective for root: with them one remount makes all of it writable again.
 * - The process namespace ends everything in it with the process, and that with its parent.
 * - A shared network includes loopback, and abstract sockets unless the filter of system calls closes them.
 * - Open descriptors are passed on, the lifeline among them.
 */
function wrapInBubblewrap({ command, args }: Command, policy: Policy, sandbox: Sandbox): Command {
	const { mounts, sealed, namespaces } = SHOWN[policy.view](policy, sandbox);
	const environment = Object.entries(policy.environment ?? {}).flatMap(([name, value]) => [
		"--setenv",
		name,
		value,
	]);
	return withPrefix(policy, sandbox, [
		...mounts,
		...(policy.forgetful ?? []).flatMap((path) => coverForgetfully(path, policy, sandbox)),
		...(policy.writable ?? []).map(canonicalPath).flatMap((path) => ["--bind", path, path]),
		...(policy.replaced ?? []).flatMap(({ at, file, isWritable }) => [
			isWritable ? "--bind" : "--ro-bind",
			canonicalPath(file),
			canonicalPath(at),
		]),
		// On top of everything else, so that nothing that is shown again uncovers one.
		...listSockets(policy).flatMap((path) => ["--ro-bind", "/dev/null", path]),
		...sealed.flatMap((path) => ["--remount-ro", path]),
		...namespaces,
		...["--cap-drop", "ALL", "--die-with-parent", "--new-session"],
		...(policy.environment === undefined ? [] : ["--clearenv", ...environment]),
		...["--chdir", policy.cwd, "--", command, ...args],
	]);
}

const SHOWN: Readonly<Record<Policy["view"], (policy: Policy, sandbox: Sandbox) => View>> = {
	machine: showMachine,
	nothing: showNothing,
	same: showSame,
};

function showMachine({ hidden = [], readable = [], network, layer }: Policy, sandbox: Sandbox): View {
	const services = keepExisting(SERVICE_DIRECTORIES);
	const { mounts, covers } = planMounts({ readable, hidden, isSeenAtFirst: true, layer, sandbox });
	return {
		mounts: [
			...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
			...keepExisting(KERNEL_CONTROLS).flatMap((path) => ["--ro-bind", path, path]),
			...services.flatMap((path) => ["--tmpfs", path]),
			...mounts,
		],
		// Last, because a mount inside of one needs a place to be made. A file written to memory counts nowhere: in
		// `/dev/shm` a child could fill the machine's.
		sealed: ["/dev", ...services, ...covers],
		namespaces: [
			...renameRoot(layer, sandbox),
			...["--unshare-pid", "--unshare-ipc"],
			...(network === "none" ? ["--unshare-net"] : []),
		],
	};
}

function showNothing(
	{ hidden = [], readable = [], network, calls, memory, layer }: Policy,
	sandbox: Sandbox,
): View {
	const named = keepExisting([...SYSTEM_DIRECTORIES, ...readable]);
	const real = named.map(canonicalPath);
	const { mounts, covers } = planMounts({ readable: real, hidden, isSeenAtFirst: false, layer, sandbox });
	const shown = new Set(real);
	// What is above a place that is shown has no links of its own here; those in one are there.
	const links = new Map(
		named.flatMap(findLinks).filter(([at]) => ![...listAncestors(at)].some((place) => shown.has(place))),
	);
	return {
		mounts: [
			...[...links].flatMap(([at, target]) => ["--symlink", target, at]),
			...mounts,
			...["--proc", "/proc", "--dev", "/dev"],
			...(memory === undefined ? ["--dir", "/tmp"] : ["--size", String(memory), "--tmpfs", "/tmp"]),
			...keepExisting(KERNEL_CONTROLS).flatMap((path) => ["--ro-bind", path, path]),
			// A shared mapping of it is memory that is counted for no process.
			...(calls === "own-counted" ? ["--ro-bind", "/dev/null", "/dev/zero"] : []),
		],
		sealed: ["/dev", ...covers, "/"],
		namespaces: ["--unshare-all", ...(network === "shared" ? ["--share-net"] : [])],
	};
}

/**
 * The /proc of the outer sandbox stays: it names processes that are not in the inner one. They can be neither stopped,
 * which is a matter of the process namespace, nor looked into, because a user namespace has no say over one above it.
 */
function showSame({ hidden = [], readable = [], network, temporary }: Policy, sandbox: Sandbox): View {
	const { mounts, covers } = planMounts({
		...{ readable, hidden, isSeenAtFirst: true },
		...{ layer: undefined, sandbox },
	});
	return {
		mounts: [
			// Devices of the sandbox around it cannot be opened through a mount of this one.
			...["--ro-bind", "/", "/", "--dev", "/dev"],
			...(sandbox.hasSizes ? ["--size", String(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"] : []),
			...(temporary === undefined ? [] : ["--bind", canonicalPath(temporary), "/tmp"]),
			...mounts,
		],
		sealed: covers,
		namespaces: [
			...["--unshare-user", "--unshare-pid", "--unshare-ipc"],
			...(network === "none" ? ["--unshare-net"] : []),
		],
	};
}

/**
 * Mounts from the outside in, so that each real path is seen as the nearest name around it says: shown or hidden, and
 * shown when it is both.
 */
function planMounts({
	readable,
	hidden,
	isSeenAtFirst,
	layer,
	sandbox,
}: Required<Pick<Policy, "readable" | "hidden">> & {
	readonly isSeenAtFirst: boolean;
	readonly layer: LayerMount | undefined;
	readonly sandbox: Sandbox;
}): Pick<View, "mounts"> & {
	/** Empty directories in memory. */
	readonly covers: readonly string[];
} {
	const isShown = new Map([
		...keepExisting([...hidden, ...(layer === undefined ? [] : [layer.hidden])]).map(
			(path) => [path, false] as const,
		),
		...keepExisting(readable).map((path) => [path, true] as const),
		...(layer === undefined ? [] : [[layer.at, true] as const]),
	]);
	const mounts: string[] = [];
	const covers: string[] = [];
	for (const [path, shows] of [...isShown].sort(([left], [right]) => left.length - right.length)) {
		if (path === layer?.at) {
			mounts.push(...mountLayer(layer, sandbox));
			continue;
		}
		const around = [...listAncestors(path)].slice(1).find((at) => isShown.has(at));
		if (shows === (around === undefined ? isSeenAtFirst : isShown.get(around))) continue;
		if (shows) mounts.push("--ro-bind", path, path);
		else if (!statSync(path).isDirectory()) mounts.push("--ro-bind", "/dev/null", path);
		else {
			mounts.push("--tmpfs", path);
			covers.push(path);
		}
	}
	return { mounts, covers };
}

/** Sources are looked up in the file system that we see, before anything is covered in the other one. */
function mountLayer({ at, state, kind, shown = [] }: LayerMount, { layers }: Sandbox): readonly string[] {
	if (kind === "copy")
		return ["--bind", join(state, "copy"), at, ...shown.flatMap((path) => ["--ro-bind", path, path])];
	if (layers.how === "outside") return ["--bind", join(state, "merged"), at];
	return ["--overlay-src", at, "--overlay", join(state, "upper"), join(state, "work"), at];
}

/** The symbolic links on the way to a path, each with what it says. */
function findLinks(path: string): readonly (readonly [at: string, target: string])[] {
	const at = [...listAncestors(path)].reverse().find((place) => lstatSync(place).isSymbolicLink());
	if (at === undefined) return [];
	const target = readlinkSync(at);
	return [[at, target], ...findLinks(resolve(dirname(at), target, relative(at, path)))];
}

/** In the file system of the machine, but not below what is covered whole. */
function listSockets({ view, closedSockets = [] }: Policy): readonly string[] {
	if (view !== "machine") return [];
	return [...new Set([...keepExisting(SERVICE_SOCKETS), ...closedSockets])].filter(
		(path) => !SERVICE_DIRECTORIES.some((directory) => path.startsWith(`${directory}/`)),
	);
}

function keepExisting(paths: readonly string[]): readonly string[] {
	return paths.filter((path) => existsSync(path));
}

/** Above what programs use for pipes of their own; bubblewrap closes it when it has read the filter. */
const FILTER_DESCRIPTOR = "9";
const BECOME_NOBODY = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

/**
 * A namespace in which the layer is mounted before bubblewrap starts, which refuses to start with any capability. Names are
 * relative, because a path with a comma or a colon in it would end an option of mount. A new namespace forgets that its
 * process dies with its parent, so that is said again, to nobody but a parent that is still there.
 */
const MOUNT_OUTSIDE = `
cd "$0"
/usr/bin/mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr merged
exec /usr/bin/setpriv --pdeathsig KILL --ambient-caps=-all --inh-caps=-all -- /bin/sh -c '[ "$PPID" = "$0" ] && exec "$@"' "$@"
`;

/**
 * Root without capabilities cannot make a namespace with a root in it, as a sandbox for a command inside of a layer would be.
 * It keeps its files: this is only what it is called in there.
 */
const RENAMED = "1000";

const isRoot = (): boolean => process.getuid?.() === 0;

function renameRoot(layer: LayerMount | undefined, { layers }: Sandbox): readonly string[] {
	if (layer === undefined || !isRoot()) return [];
	const isRenamed = layer.kind === "overlay" && layers.how === "outside";
	return isRenamed ? [] : ["--unshare-user", "--uid", RENAMED, "--gid", RENAMED];
}

function mountOutside({ layer }: Policy, { layers }: Sandbox): readonly string[] {
	if (layer?.kind !== "overlay" || layers.how !== "outside") return [];
	const user = isRoot() ? [`--map-user=${RENAMED}`, `--map-group=${RENAMED}`] : ["--map-current-user"];
	const enter = ["--user", ...user, "--keep-caps", "--mount"];
	return ["/usr/bin/unshare", ...enter, "/bin/sh", "-euc", MOUNT_OUTSIDE, layer.state, String(process.pid)];
}

function withPrefix(policy: Policy, sandbox: Sandbox, args: readonly string[]): Command {
	const becomeNobody =
		policy.isNobody === true && policy.layer === undefined && sandbox.hasNobody && process.getuid?.() === 0;
	const callFilter = policy.calls !== "all" && sandbox.hasFilter ? locateCallFilter(policy.calls) : undefined;
	const words = [
		...(becomeNobody ? BECOME_NOBODY : []),
		...mountOutside(policy, sandbox),
		sandbox.program,
		...(callFilter === undefined ? [] : ["--seccomp", FILTER_DESCRIPTOR]),
		...args,
	];
	const [command = "", ...rest] = words;
	if (callFilter === undefined) return { command, args: rest };
	// It takes the filter from an open descriptor, which only a shell can open for whoever spawns it.
	return { command: "/bin/sh", args: ["-c", `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`, callFilter, ...words] };
}

function coverForgetfully(
	path: string,
	{ hidden = [], readable = [] }: Policy,
	{ hasSizes }: Sandbox,
): string[] {
	const directory = canonicalPath(path);
	const entries = readdirSync(directory).map((name) => join(directory, name));
	// A link that leads nowhere cannot be shown, and does not exist for a reader either.
	const shown = entries.filter((entry) => existsSync(entry) && !hidden.includes(entry));
	const inside = readable.filter((place) => isInside(directory, place) && existsSync(place));
	return [
		...(hasSizes ? ["--size", String(FORGETFUL_BYTES)] : []),
		...["--tmpfs", directory],
		...[...shown, ...inside].flatMap((entry) => ["--ro-bind", canonicalPath(entry), entry]),
	];
}
