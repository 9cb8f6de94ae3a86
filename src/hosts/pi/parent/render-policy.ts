export interface AdvertisedAgent {
	readonly name: string;
	readonly description: string;
}

const MAX_DESCRIPTION_CHARS = 160;

const RULES = `Call subagent for a self-contained task that would fill your context: a broad search, reading many files, a review, research. Send independent tasks as several calls in one message. Work yourself when a few calls are enough, when the task needs this conversation, or when files must change. Check what you will act on.`;

/** When to delegate and to whom: the part that never changes, and one line per agent. */
export function renderPolicy(agents: readonly AdvertisedAgent[]): string {
	return [RULES, ...agents.map(renderAgent)].join("\n");
}

function renderAgent({ name, description }: AdvertisedAgent): string {
	const text = description.replace(/\s+/g, " ").trim();
	const short = text.length > MAX_DESCRIPTION_CHARS ? `${text.slice(0, MAX_DESCRIPTION_CHARS - 1)}…` : text;
	return short ? `- ${name}: ${short}` : `- ${name}`;
}
