import { findNearWord } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";

interface UnknownName {
	/** For the user: the key, and that it does nothing. */
	readonly text: string;
	/** Probably meant. Otherwise it may be an agent of another project. */
	readonly near: string | undefined;
}

/** A setting for an agent that does not exist does nothing, and its author believes that it does. */
export function findUnknownNames(
	{ agents, writers, disabledAgents }: Pick<SubagentsConfig, "agents" | "writers" | "disabledAgents">,
	discovered: readonly Pick<AgentDefinition, "name">[],
): readonly UnknownName[] {
	const known = discovered.map(({ name }) => name);
	const isKnown = (wanted: string): boolean =>
		known.some((name) => name.toLowerCase() === wanted.toLowerCase());
	const find = (names: readonly string[], where: (name: string) => string): readonly UnknownName[] =>
		names
			.filter((name) => !isKnown(name))
			.map((name) => {
				const near = findNearWord(name, known);
				const advice = near === undefined ? "" : `. Did you mean ${near}?`;
				return { text: `${where(name)}: there is no agent of that name here${advice}`, near };
			});
	return [
		...find(Object.keys(agents), (name) => `subagents.agents.${name}`),
		...find(writers, (name) => `subagents.writers names ${JSON.stringify(name)}`),
		...find(disabledAgents, (name) => `subagents.disabledAgents names ${JSON.stringify(name)}`),
	];
}
