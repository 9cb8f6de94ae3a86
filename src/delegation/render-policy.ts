import { collapseSpace, cutText } from "@deputize/ground";

export interface AdvertisedAgent {
	readonly name: string;
	readonly description: string;
	/** Not readonly: with `subagents.allowWrite` it changes files. */
	readonly mayWrite?: boolean;
}

const MAX_DESCRIPTION_CHARS = 160;

/** The last reason to work oneself is left out when there are agents that may change files. */
const renderRules = (mayWrite: boolean): string =>
	[
		"Call subagent for a self-contained task that would fill your context: search, many files, review, research.",
		'Example: explorer, "What writes sessions? file:line". Independent tasks: several calls in one message.',
		`Work yourself if a few calls do${mayWrite ? " or" : ","} it needs this conversation${mayWrite ? "" : " or files must change"}.`,
		"Check what you act on.",
	].join(" ");

/** When to delegate and to whom: the part that never changes, and one line per agent. */
export function renderPolicy(agents: readonly AdvertisedAgent[], mayWrite = false): string {
	return [renderRules(mayWrite), ...agents.map(renderAgent)].join("\n");
}

function renderAgent({ name, description }: AdvertisedAgent): string {
	const text = collapseSpace(description);
	return text ? `- ${name}: ${cutText(text, MAX_DESCRIPTION_CHARS)}` : `- ${name}`;
}
