import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface SandboxOptions {
	/** Path of bubblewrap, from a probe that succeeded. */
	readonly bwrap: string;
	/** Must exist. Everything else is read-only. */
	readonly writableDirectories: readonly string[];
	readonly cwd: string;
	/** Parts of writable directories that stay read-only all the same. Those that do not exist are not protected. */
	readonly readonlyPaths?: readonly string[];
}

/**
 * Directories and sockets through which a service of the host does what it is asked to, with its own rights.
 * A read-only file system does not stop a message, so they are covered.
 */
const SERVICE_DIRECTORIES = ["/run/user", "/run/dbus", "/run/containerd", "/run/podman", "/run/libvirt"];
const SERVICE_SOCKETS = [
	"/run/docker.sock",
	"/run/systemd/private",
	"/run/snapd.socket",
	"/run/crio/crio.sock",
];

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
];

/**
 * The command that runs `command` on a read-only file system, with no capabilities, seeing no process but its own.
 * - Dropping every capability is what makes it hold for root: with them one remount makes all of it writable again.
 * - The process namespace ends everything in it with the child, and the child with its parent.
 * - The network is shared, because the child must reach its model. Abstract sockets are shared with it.
 * - Files stay readable: this keeps a child from changing things, not from reading them.
 * - Open descriptors are passed on, the lifeline among them.
 */
export function wrapInSandbox(
	command: string,
	args: readonly string[],
	options: SandboxOptions,
): { command: string; args: string[] } {
	const covered = [
		...KERNEL_CONTROLS.map((name) => `/proc/${name}`)
			.filter((path) => existsSync(path))
			.flatMap((path) => ["--ro-bind", path, path]),
		...SERVICE_DIRECTORIES.filter((path) => existsSync(path)).flatMap((path) => ["--tmpfs", path]),
		...SERVICE_SOCKETS.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
	];
	const writable = options.writableDirectories.map(resolvePath).flatMap((path) => ["--bind", path, path]);
	const protectedAgain = (options.readonlyPaths ?? [])
		.filter((path) => existsSync(path))
		.map(resolvePath)
		.flatMap((path) => ["--ro-bind", path, path]);
	return {
		command: options.bwrap,
		args: [
			...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
			...covered,
			...writable,
			...protectedAgain,
			...["--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent", "--new-session"],
			...["--chdir", options.cwd, "--", command, ...args],
		],
	};
}

/** A mount goes on the directory itself: a symbolic link on the way would be resolved inside the sandbox instead. */
function resolvePath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return join(path);
	}
}
