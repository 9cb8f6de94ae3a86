import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "./pi-library.ts";

/**
 * A decision about the project that somebody made for this session: true or false. Undefined when pi says "trusted"
 * only because there was nothing to ask about.
 */
export type ReadExplicitTrust = () => boolean | undefined;

/**
 * pi calls every project trusted that has no settings, extensions or skills of its own, and does not say why it
 * trusts one. Somebody decided when the flag was given, or when there was something to ask about at the very start.
 * Files that appear later prove nothing: after a reload pi trusts a project it never asked about.
 */
export function watchExplicitTrust(
	pi: Pick<ExtensionAPI, "on">,
	library: Partial<Pick<PiLibrary, "hasTrustRequiringProjectResources">>,
	argv: readonly string[],
): ReadExplicitTrust {
	let isExplicit = argv.includes("--approve") || argv.includes("-a");
	let decision: boolean | undefined;
	pi.on("session_start", ({ reason }, context) => {
		// Versions of pi that do not export it: no decision of the session can be told from the default.
		if (reason === "startup")
			isExplicit ||= library.hasTrustRequiringProjectResources?.(context.cwd) === true;
		if (!context.isProjectTrusted()) decision = false;
		else decision = isExplicit ? true : undefined;
	});
	return () => decision;
}
