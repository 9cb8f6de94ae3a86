import { asCount, asObject, asText, type JsonObject, parseJsonObject, readIfThere } from "@deputize/ground";
import { locatePackageFile } from "../entry-points.ts";
import { PART_NAMES, type PartName } from "./part-rows.ts";

/** What exactly a part is made of, as npm's lock files say it. */
export interface PartLock {
	/** Changes with every version and checksum in it. */
	readonly fingerprint: string;
	/** On the disk, measured where the package was built. */
	readonly bytes: number;
	/** The `packages` of a package-lock.json, all but the first entry. */
	readonly packages: JsonObject;
}

type PartLocks = Partial<Readonly<Record<PartName, PartLock>>>;

/** Written by the build, from our own lock file. Sources that were never built have none. */
const FILE = "dist/parts.json";

export function readPartLocks(file: string = locatePackageFile(FILE)): PartLocks {
	const value = parseJsonObject(readIfThere(file) ?? "");
	return Object.fromEntries(
		PART_NAMES.flatMap((name) => {
			const { fingerprint, bytes, packages } = asObject(value?.[name]);
			return asText(fingerprint) === ""
				? []
				: [[name, { fingerprint, bytes: asCount(bytes), packages: asObject(packages) }]];
		}),
	);
}
