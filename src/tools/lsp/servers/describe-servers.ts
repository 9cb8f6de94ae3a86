import { canonicalPath } from "@deputize/ground";
import type { LspConfig } from "../../../contract/config.ts";
import { findServer } from "./find-server.ts";
import type { ProgramSource, SearchPlace } from "./find-server-program.ts";
import { listServerDefinitions } from "./select-server.ts";

export interface ServerDescription {
	readonly id: string;
	/** File extensions and names it answers for. */
	readonly languages: readonly string[];
	readonly installed: boolean;
	readonly command?: string;
	readonly source?: ProgramSource;
	/** Why it cannot be used, when it cannot. */
	readonly reason?: string;
	readonly installHint: string;
}

/** What is there and what is missing. Looks at files only; nothing is started. */
export function describeServers(
	config: LspConfig,
	place: Omit<SearchPlace, "root">,
): readonly ServerDescription[] {
	const workspace = canonicalPath(place.workspace);
	return listServerDefinitions(config).map((definition) => {
		const search = findServer(definition, { ...place, workspace, root: workspace });
		const base = {
			id: definition.id,
			languages: Object.keys(definition.languages),
			installHint: definition.installHint,
		};
		if (search.kind === "missing") return { ...base, installed: false, reason: search.reason };
		const { program, command, args, source } = search.launch;
		const shown = command === program ? [program, ...args] : args;
		return { ...base, installed: true, command: shown.join(" "), source };
	});
}
