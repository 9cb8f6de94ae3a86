import { existsSync } from "node:fs";
import { locatePackageFile } from "../entry-points.ts";
import type { Policy } from "./policy.ts";

/**
 * The filter of system calls for a confined process, made by scripts/generate-seccomp.mjs; undefined for a processor it
 * was not made for.
 */
export function locateCallFilter(
	calls: Exclude<Policy["calls"], "all">,
	architecture: string = process.arch,
): string | undefined {
	const file = locatePackageFile(`data/seccomp/${architecture}-${calls}.bpf`);
	return existsSync(file) ? file : undefined;
}
