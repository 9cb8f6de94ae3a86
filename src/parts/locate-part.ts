import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findForeignDirectory, listAncestors } from "@deputize/ground";
import { locatePackageFile } from "../entry-points.ts";
import { isCompletePart } from "./is-complete-part.ts";
import { PART_CONTENTS } from "./part-contents.ts";
import { locatePartDirectory } from "./part-directory.ts";
import { PART_ROWS, type PartName } from "./part-rows.ts";
import { readPartLocks } from "./read-part-locks.ts";

export interface LocatedPart {
	readonly part: PartName;
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
	const isComplete = (modules: string): boolean => isCompletePart(modules, packages);
	const beside = listModuleDirectories().find(isComplete);
	if (beside !== undefined) return { part, modules: beside, source: "beside" };
	const lock = agentDirectory === undefined ? undefined : readPartLocks()[part];
	if (lock === undefined || agentDirectory === undefined) return undefined;
	const modules = join(locatePartDirectory(agentDirectory, part, lock), "node_modules");
	// Its code runs with the user's rights: nobody else may have put it there.
	const isOurs = findForeignDirectory(agentDirectory, modules) === undefined;
	// What is in it is noted last: without that it is half of a part.
	const isWhole = isComplete(modules) && existsSync(join(modules, PART_CONTENTS));
	return isOurs && isWhole ? { part, modules, source: "setup" } : undefined;
}

/** Where Node looks from here, but for the directories that NODE_PATH names: that can be set for a project. */
function listModuleDirectories(): readonly string[] {
	return [...listAncestors(dirname(locatePackageFile("package.json")))].map((at) => join(at, "node_modules"));
}
