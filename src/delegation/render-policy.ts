import { collapseSpace, cutText } from "@deputize/ground";

export interface AdvertisedAgent {
	readonly name: string;
	readonly description: string;
	/** It changes files: the user's own, or in a layer over the project. */
	readonly writes?: "in-place" | "layer";
}

const MAX_DESCRIPTION_CHARS = 160;

/** The last reason to work oneself is left out when there are agents that may change files. */
function renderRules(agents: readonly AdvertisedAgent[]): string {
	const mayWrite = agents.some(({ writes }) => writes !== undefined);
	return [
		"Call subagent for a self-contained task that would fill your context: search, many files, review, research.",
		'Example: explorer, "What writes sessions? file:line". Independent tasks: several calls in one message.',
		`Work yourself if a few calls do${mayWrite ? " or" : ","} it needs this conversation${mayWrite ? "" : " or files must change"}.`,
		"Check what you act on.",
		...(agents.some(({ writes }) => writes === "layer") ? [IN_LAYER] : []),
	].join(" ");
}

const IN_LAYER =
	"Agents marked (writes) change files in a layer: you get the files and lines, the user applies the diff.";

/** When to delegate and to whom: the part that never changes, and one line per agent. */
export function renderPolicy(agents: readonly AdvertisedAgent[]): string {
	return [renderRules(agents), ...agents.map(renderAgent)].join("\n");
}

function renderAgent({ name, description, writes }: AdvertisedAgent): string {
	const text = collapseSpace(description);
	const called = writes === "layer" ? `${name} (writes)` : name;
	return text ? `- ${called}: ${cutText(text, MAX_DESCRIPTION_CHARS)}` : `- ${called}`;
}
