import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { locatePartDirectory } from "./part-directory.ts";
import { PART_ROWS, type PartName } from "./part-rows.ts";
import { readPartLocks } from "./read-part-locks.ts";

export interface LocatedPart {
	/** The `node_modules` that contains its packages. */
	readonly modules: string;
	/** `beside`: installed next to deputize, as in our own repository. `setup`: by `deputize setup`. */
	readonly source: "beside" | "setup";
}

export interface PartPlace {
	/** Without it, only what is installed beside us. */
	readonly agentDirectory?: string | undefined;
	/** When not all of the part is needed. */
	readonly packages?: readonly string[];
}

/** The one place that decides where an optional part comes from. All of its packages come from the same place. */
export function locatePart(part: PartName, place: PartPlace): LocatedPart | undefined {
	const { agentDirectory, packages = PART_ROWS[part].packages } = place;
	const isComplete = (modules: string): boolean =>
		packages.every((name) => existsSync(join(modules, name, "package.json")));
	const beside = listModuleDirectories().find(isComplete);
	if (beside !== undefined) return { modules: beside, source: "beside" };
	const lock = agentDirectory === undefined ? undefined : readPartLocks()[part];
	if (lock === undefined || agentDirectory === undefined) return undefined;
	const modules = join(locatePartDirectory(agentDirectory, part, lock), "node_modules");
	return isComplete(modules) ? { modules, source: "setup" } : undefined;
}

function listModuleDirectories(): readonly string[] {
	return createRequire(import.meta.url).resolve.paths("a-package") ?? [];
}
