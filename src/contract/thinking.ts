/** pi's names, from the least to the most. */
export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

export function isThinkingLevel(value: unknown): value is ThinkingLevel {
	return (THINKING_LEVELS as readonly unknown[]).includes(value);
}

/** pi takes a thinking level behind the id of a model, as in `provider/id:high`. */
export function splitThinking(named: string): {
	readonly model: string;
	readonly thinkingLevel?: ThinkingLevel;
} {
	const at = named.lastIndexOf(":");
	const level = named.slice(at + 1);
	return at > 0 && isThinkingLevel(level)
		? { model: named.slice(0, at), thinkingLevel: level }
		: { model: named };
}
