import { basename } from "node:path";
import { findNearWord } from "@deputize/ground";
import { applyAgentSettings } from "../agents/apply-agent-settings.ts";
import { findSwitchOff, UNLISTED } from "../agents/find-agent-settings.ts";
import type { AgentDefinition, DiscoveredAgents } from "../contract/agent.ts";
import type { SubagentsConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";

/** The agent of that name as the configuration has it, or an error that lists the names there are. */
export function selectAgent(
	name: string,
	discovered: DiscoveredAgents,
	config: SubagentsConfig,
): AgentDefinition {
	const agent =
		discovered.agents.find((candidate) => candidate.name === name) ??
		discovered.agents.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
	if (!agent) throw new DelegationError("UNKNOWN_AGENT", describeUnknown(name, discovered, config));
	const switchedOffBy = findSwitchOff(agent, config);
	if (switchedOffBy !== undefined) {
		throw new DelegationError(
			"SUBAGENT_DISABLED",
			switchedOffBy === UNLISTED
				? `The agent ${agent.name} changes files and is off until you list it: "subagents": { "writers": ["${agent.name}"] } in ~/.pi/agent/deputize.json.${tellMisspelled(agent.name, config)}`
				: `The agent ${agent.name} is switched off by ${switchedOffBy} in deputize.json.`,
		);
	}
	return applyAgentSettings(agent, config);
}

function tellMisspelled(name: string, { writers }: SubagentsConfig): string {
	const listed = writers.find((writer) => findNearWord(writer, [name]) !== undefined);
	return listed === undefined ? "" : ` It lists ${JSON.stringify(listed)}.`;
}

function describeUnknown(name: string, discovered: DiscoveredAgents, config: SubagentsConfig): string {
	const usable = discovered.agents.filter((agent) => findSwitchOff(agent, config) === undefined);
	const names = usable.map((agent) => agent.name);
	const near = findNearWord(name, names);
	const skipped = discovered.skipped.find(
		({ file }) =>
			basename(file)
				.replace(/\.(md|markdown)$/i, "")
				.toLowerCase() === name.toLowerCase(),
	);
	// Names last: a screen may show only the beginning.
	return [
		`Unknown agent: ${name}.`,
		...(skipped
			? [`The file ${basename(skipped.file)} was skipped: ${skipped.reason} (${skipped.file}).`]
			: []),
		...(near ? [`Did you mean ${near}?`] : []),
		`Available agents: ${names.join(", ") || "none"}`,
	].join(" ");
}
