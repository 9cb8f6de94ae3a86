import { existsSync } from "node:fs";
import { locatePackageFile } from "../entry-points.ts";

/**
 * The filter of system calls for a confined process, made by scripts/generate-seccomp.mjs; undefined for a processor it
 * was not made for. A process that has to reach a socket of ours gets the one that leaves unix sockets open.
 */
export function locateCallFilter(
	options: { readonly unixSockets: boolean },
	architecture: string = process.arch,
): string | undefined {
	const file = locatePackageFile(`data/seccomp/${architecture}${options.unixSockets ? "-unix" : ""}.bpf`);
	return existsSync(file) ? file : undefined;
}
