import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ChildPool } from "../../../children/child-pool.ts";
import type { Surroundings } from "../../../config/read-surroundings.ts";
import type { SubagentsConfig } from "../../../contract/config.ts";
import type { Starter } from "./load-engine.ts";

/** Whoever delegated in this project a moment ago does so again, also in a new session. */
const RECENT_MS = 10 * 60 * 1000;

/**
 * The user has sent a message and the model thinks about it. Where a delegation is likely, its child is started. Otherwise
 * everything up to the start is gone through without starting anything, so that the first call waits for nothing but the child.
 */
export async function getReady(
	message: string,
	options: {
		readonly starter: Pick<Starter, "listAdvertised" | "findRecentAgent">;
		readonly context: Pick<ExtensionContext, "cwd" | "hasUI">;
		readonly config: SubagentsConfig;
		readonly surroundings: Pick<Surroundings, "home" | "agentDirectory">;
		readonly pool: Pick<ChildPool, "expect">;
		readonly practise: (agent: string) => Promise<void>;
	},
): Promise<void> {
	const { starter, context, config, surroundings } = options;
	const { home, agentDirectory } = surroundings;
	const names = starter.listAdvertised(config, agentDirectory, context).map(({ name }) => name);
	const likely =
		config.keepWarm === 0
			? undefined
			: (selectNamed(message, names) ??
				starter.findRecentAgent({ home, cwd: context.cwd, maxAgeMs: RECENT_MS }));
	if (likely !== undefined) return options.pool.expect(likely);
	if (names[0] !== undefined) await options.practise(names[0]);
}

/** The one agent that a message names as an agent: of two there is no telling which comes first. */
export function selectNamed(message: string, names: readonly string[]): string | undefined {
	if (!SPEAKS_OF_AGENTS.test(message)) return undefined;
	// Names of agents have characters that `\b` takes for the end of a word.
	const words = new Set(message.toLowerCase().match(/[a-z0-9_-]+/g));
	const [named, ...others] = names.filter((name) => words.has(name.toLowerCase()));
	return others.length === 0 ? named : undefined;
}

const SPEAKS_OF_AGENTS = /\b(?:(?:sub)?agents?|delegat(?:e|es|ion)|ask|have|let|use)\b/i;
