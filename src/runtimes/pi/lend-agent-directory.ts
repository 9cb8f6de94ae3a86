import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWritable, readIfThere } from "@deputize/ground";

/** What a run needs of pi's agent directory: how to reach models, and pi's settings. */
const NEEDED = ["settings.json", "models.json"] as const;

/**
 * pi locks and writes files in its agent directory and refuses to run without one. Where nobody may write there, the
 * child gets a directory for this run alone. Undefined when the real one can be used.
 */
export function lendAgentDirectory(options: {
	readonly agentDirectory: string;
	readonly runDirectory: string;
	/** The file of keys for this child, if it has one. */
	readonly loginFile?: string | undefined;
}): string | undefined {
	if (canBeUsed(options.agentDirectory)) return undefined;
	const lent = join(options.runDirectory, "agent");
	mkdirSync(lent, { mode: 0o700 });
	const sources = [
		...NEEDED.map((name) => [name, join(options.agentDirectory, name)] as const),
		...(options.loginFile ? [["auth.json", options.loginFile] as const] : []),
	];
	for (const [name, source] of sources) {
		const text = readIfThere(source);
		if (text !== undefined) writeFileSync(join(lent, name), text, { mode: 0o600 });
	}
	return lent;
}

function canBeUsed(directory: string): boolean {
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		return isWritable(directory);
	} catch {
		return false;
	}
}
