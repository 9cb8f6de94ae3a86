import { join } from "node:path";
import type { PartName } from "./part-rows.ts";
import type { PartLock } from "./read-part-locks.ts";

/** Where `deputize setup` installs parts: one directory for each part and the versions in it. */
export function locatePartsDirectory(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "parts");
}

/** Never changed once it is there: other versions are another directory. */
export function locatePartDirectory(
	agentDirectory: string,
	part: PartName,
	{ fingerprint }: PartLock,
): string {
	return join(locatePartsDirectory(agentDirectory), `${part}@${fingerprint}`);
}
