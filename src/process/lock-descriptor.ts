import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Part of util-linux and of BusyBox. Not looked for elsewhere: a project may have a program of that name. */
const PROGRAMS = ["/usr/bin/flock", "/bin/flock"];
const TIMEOUT_MS = 5000;

/**
 * Has the kernel lock an open file (flock), also against other containers and, on NFS, other machines. The lock ends
 * when the descriptor is closed or this process ends, however it does. False when somebody else has it, undefined where
 * it cannot be taken. Node itself has no call for it; the lock belongs to the open file, which the program shares.
 */
export function lockDescriptor(descriptor: number): boolean | undefined {
	const program = PROGRAMS.find((path) => existsSync(path));
	if (program === undefined) return undefined;
	const { status } = spawnSync(program, ["-n", "3"], {
		stdio: ["ignore", "ignore", "ignore", descriptor],
		timeout: TIMEOUT_MS,
		env: {},
	});
	return status === 0 ? true : status === 1 ? false : undefined;
}
