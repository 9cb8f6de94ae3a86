import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { listAncestors } from "@deputize/ground";

/**
 * What a program of this package has to read to run: its own package, and every `node_modules` above it, where its
 * dependencies are, whichever package manager put them there.
 */
export function listReadableRoots(program: string): string[] {
	const roots: string[] = [];
	let ownPackage: string | undefined;
	for (const directory of listAncestors(dirname(program))) {
		if (!ownPackage && existsSync(join(directory, "package.json"))) ownPackage = directory;
		const modules = join(directory, "node_modules");
		if (existsSync(modules)) roots.push(modules);
	}
	return [...new Set([ownPackage ?? dirname(program), ...roots])];
}
