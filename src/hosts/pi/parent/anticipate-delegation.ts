import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Surroundings } from "../../../config/read-surroundings.ts";
import type { SubagentsConfig } from "../../../contract/config.ts";
import { SUBAGENT_TOOL } from "../../../contract/subagent-tool.ts";
import type { DelegationHost } from "../../../delegation/delegate-options.ts";
import type { SharedLanguageServers } from "../../../toolbox/share-language-servers.ts";
import type { Starter } from "./load-engine.ts";
import { selectLikelyAgent } from "./select-likely-agent.ts";

export interface DescribedParent {
	readonly starter: Starter;
	readonly parent: DelegationHost;
}

/** Whoever delegated in this project a moment ago does so again, also in a new session. */
const RECENT_MS = 10 * 60 * 1000;

/**
 * The user has sent a message and the model thinks about it. Where a delegation is likely, its child is started; otherwise
 * everything up to the start is gone through once without starting anything, so that the first call waits for
 * nothing but the child. Never rejects: a call does without.
 */
export function createAnticipation(
	pi: Pick<ExtensionAPI, "getActiveTools">,
	options: {
		readonly config: SubagentsConfig;
		readonly surroundings: Pick<Surroundings, "home" | "agentDirectory">;
		readonly describeParent: (context: ExtensionContext) => Promise<DescribedParent>;
		readonly expect: (agent: string) => void;
		readonly languageServers?: Pick<SharedLanguageServers, "load">;
	},
): (message: string, context: ExtensionContext) => Promise<void> {
	const { config, surroundings } = options;
	let hasRehearsed = false;

	const anticipate = async (message: string, context: ExtensionContext): Promise<void> => {
		if (!pi.getActiveTools().includes(SUBAGENT_TOOL)) return;
		const { starter, parent } = await options.describeParent(context);
		if (!config.earlyStart) return;
		const { cwd } = context;
		const names = starter
			.listAdvertised(config, surroundings.agentDirectory, context)
			.map(({ name }) => name);
		if (config.keepWarm > 0) {
			const { home } = surroundings;
			const recent = starter.findRecentAgent({ home, cwd, maxAgeMs: RECENT_MS });
			const likely = selectLikelyAgent(message, { names, recent });
			if (likely !== undefined) return options.expect(likely);
		}
		const [any] = names;
		if (hasRehearsed || any === undefined) return;
		hasRehearsed = true;
		starter.parentDeathPrefix();
		await starter.describeDelegation({ agent: any, task: "-" }, { cwd, host: parent });
		await options.languageServers?.load();
	};
	return (message, context) => anticipate(message, context).catch(() => undefined);
}
