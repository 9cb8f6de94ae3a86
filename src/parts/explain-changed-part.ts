import type { LocatedPart } from "./locate-part.ts";
import { findChangedFile } from "./part-contents.ts";
import { renderSetupCommand } from "./part-rows.ts";

/**
 * Why a part may not be loaded: a file of it is not the one that was installed. Ask before its code runs. What is installed
 * beside us is as trusted as we are.
 */
export function explainChangedPart({ part, modules, source }: LocatedPart): string | undefined {
	const changed = source === "setup" ? findChangedFile(modules) : undefined;
	return (
		changed &&
		`${changed} was changed after the part ${part} was installed, so none of it is loaded. Run: ${renderSetupCommand(part)}`
	);
}
