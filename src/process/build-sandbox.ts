import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalPath, isInside, listAncestors } from "@deputize/ground";

export interface SandboxOptions {
	/** Path of bubblewrap, from a probe that succeeded. */
	readonly bwrap: string;
	/** Must exist; a single file is possible too. Everything else is read-only. */
	readonly writableDirectories: readonly string[];
	readonly cwd: string;
	/** Covered, so that nobody can be reached through them. */
	readonly closedSockets?: readonly string[];
	/** Whether this bubblewrap can bound a directory in memory (`--size`, since 0.7). */
	readonly hasSizes?: boolean;
	/**
	 * Directories that show what is in them and also take new files, none of which last: for a program that makes lock
	 * files beside its settings. What is there cannot be changed.
	 */
	readonly forgetfulDirectories?: readonly string[];
	/** Real paths that are shown as empty. Those that do not exist are skipped. */
	readonly maskedPlaces?: readonly string[];
	/** Real paths that are shown, read-only, although something around them is masked. */
	readonly shownPlaces?: readonly string[];
	/** `none`: no interface but its own loopback, and no abstract sockets of the host. */
	readonly network?: "shared" | "none";
	/** File with a filter of system calls (`locateCallFilter`), from a probe that found it to work. */
	readonly callFilter?: string | undefined;
	/** Files that show the content of another file. Both must exist. */
	readonly replacedFiles?: readonly ReplacedFile[];
}

export interface ReplacedFile {
	readonly at: string;
	readonly file: string;
	readonly isWritable: boolean;
}

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
/** The name of a socket in the file system of the sandbox, but not below what is covered whole. */
const isCovered = (path: string): boolean =>
	SERVICE_DIRECTORIES.some((directory) => path.startsWith(`${directory}/`));

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

/**
 * The command that runs `command` on a read-only file system, with no capabilities, seeing no process but its own.
 * - Dropping every capability is what makes it effective for root: with them one remount makes all of it writable again.
 * - The process namespace ends everything in it with the child, and the child with its parent.
 * - The network is shared unless `network` is `none`: a child must reach its model. So is loopback, and so are abstract
 *   sockets unless the filter of system calls closes them.
 * - Files stay readable, except those in masked places.
 * - Open descriptors are passed on, the lifeline among them.
 */
export function wrapInSandbox(
	command: string,
	args: readonly string[],
	options: SandboxOptions,
): { command: string; args: string[] } {
	const sockets = new Set([...keepExisting(SERVICE_SOCKETS), ...(options.closedSockets ?? [])]);
	const services = keepExisting(SERVICE_DIRECTORIES);
	const covered = [
		...keepExisting(KERNEL_CONTROLS).flatMap((path) => ["--ro-bind", path, path]),
		...services.flatMap((path) => ["--tmpfs", path]),
	];
	// Last, because a mount inside of one needs a place to be made. A file written to memory counts nowhere: in
	// `/dev/shm` a child could fill the machine's.
	const masked = keepExisting(options.maskedPlaces ?? []);
	const outermost = findOutermost(masked);
	const sealed = ["/dev", ...services, ...outermost.filter((path) => statSync(path).isDirectory())];
	const writable = options.writableDirectories.map(canonicalPath).flatMap((path) => ["--bind", path, path]);
	return withFilter(options, [
		...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
		...covered,
		...outermost.flatMap(coverPlace),
		...showAgain(options.shownPlaces ?? [], { masked, outermost }),
		...(options.forgetfulDirectories ?? []).flatMap((path) => coverForgetfully(path, options)),
		...writable,
		...(options.replacedFiles ?? []).flatMap(({ at, file, isWritable }) => [
			isWritable ? "--bind" : "--ro-bind",
			canonicalPath(file),
			canonicalPath(at),
		]),
		// On top of everything else, so that nothing that is shown again uncovers one.
		...[...sockets].filter((path) => !isCovered(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
		...sealed.flatMap((path) => ["--remount-ro", path]),
		...["--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent", "--new-session"],
		...(options.network === "none" ? ["--unshare-net"] : []),
		...["--chdir", options.cwd, "--", command, ...args],
	]);
}

function keepExisting(paths: readonly string[]): readonly string[] {
	return paths.filter((path) => existsSync(path));
}

/** Above what programs use for pipes of their own; bubblewrap closes it when it has read the filter. */
const FILTER_DESCRIPTOR = "9";

/** Bubblewrap takes the filter from an open descriptor, which only a shell can open for whoever spawns it. */
function withFilter(
	{ bwrap, callFilter }: SandboxOptions,
	args: readonly string[],
): { command: string; args: string[] } {
	if (callFilter === undefined) return { command: bwrap, args: [...args] };
	const open = `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`;
	return {
		command: "/bin/sh",
		args: ["-c", open, callFilter, bwrap, "--seccomp", FILTER_DESCRIPTOR, ...args],
	};
}

function coverForgetfully(
	path: string,
	{ maskedPlaces = [], shownPlaces = [], hasSizes = false }: SandboxOptions,
): string[] {
	const directory = canonicalPath(path);
	const entries = readdirSync(directory).map((name) => join(directory, name));
	// A link that leads nowhere cannot be shown, and does not exist for a reader either.
	const shown = entries.filter((entry) => existsSync(entry) && !maskedPlaces.includes(entry));
	const inside = shownPlaces.filter((place) => isInside(directory, place) && existsSync(place));
	return [
		...(hasSizes ? ["--size", String(FORGETFUL_BYTES)] : []),
		...["--tmpfs", directory],
		...[...shown, ...inside].flatMap((entry) => ["--ro-bind", canonicalPath(entry), entry]),
	];
}

/** Over the empty directories and files that cover what is masked: what is shown in them, and over that what is masked inside of it. */
function showAgain(
	shown: readonly string[],
	{ masked, outermost }: { readonly masked: readonly string[]; readonly outermost: readonly string[] },
): string[] {
	const covered = new Set(outermost);
	const inside = [...new Set(shown)]
		.filter((path) => isBelowAny(covered, path) && existsSync(path))
		.sort((left, right) => left.length - right.length);
	const uncovered = new Set(inside);
	const again = masked.filter((path) => !covered.has(path) && isBelowAny(uncovered, dirname(path)));
	return [...inside.flatMap((path) => ["--ro-bind", path, path]), ...again.flatMap(coverPlace)];
}

/** Of paths without links, those that are in none of the others. */
export function findOutermost(paths: readonly string[]): string[] {
	const all = new Set(paths);
	return paths.filter((path) => dirname(path) === path || !isBelowAny(all, dirname(path)));
}

function isBelowAny(places: ReadonlySet<string>, path: string): boolean {
	return [...listAncestors(path)].some((at) => places.has(at));
}

function coverPlace(path: string): string[] {
	return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
