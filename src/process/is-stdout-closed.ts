import { fstatSync, readFileSync, statSync } from "node:fs";

const O_RDWR = 0o2;

/**
 * Whether stdout was closed when this process started (`>&-`). Node puts /dev/null in its place, opened for reading too, which
 * a shell's `> /dev/null` is not; a parent that ignores what its child prints can look the same. False where it cannot be told.
 */
export function isStdoutClosed(): boolean {
	try {
		const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync("/proc/self/fdinfo/1", "latin1"))?.[1] ?? "0";
		const isNull = fstatSync(1).rdev === statSync("/dev/null").rdev;
		return isNull && (Number.parseInt(flags, 8) & O_RDWR) !== 0;
	} catch {
		return false;
	}
}
