import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeOf, listIfThere } from "@deputize/ground";
import type { Surroundings } from "../../config/read-surroundings.ts";
import { locatePartsDirectory } from "../../parts/part-directory.ts";
import type { PartName } from "../../parts/part-rows.ts";
import { SetupError } from "./setup-error.ts";

/** Removes every version of a part that `deputize setup` installed. False when there was none. */
export function removePart(
	part: PartName,
	{ agentDirectory }: Pick<Surroundings, "agentDirectory">,
): boolean {
	const parts = locatePartsDirectory(agentDirectory);
	const names = listIfThere(parts).filter((name) => name.startsWith(`${part}@`));
	for (const name of names) {
		// Out of sight at once: nobody may find half of it.
		const gone = join(parts, `.gone-${randomUUID()}`);
		try {
			renameSync(join(parts, name), gone);
			rmSync(gone, { recursive: true, force: true });
		} catch (error) {
			if (codeOf(error) !== "ENOENT")
				throw new SetupError(`${join(parts, name)} cannot be removed (${codeOf(error)}).`);
		}
	}
	return names.length > 0;
}
