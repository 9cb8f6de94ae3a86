import { formatCount } from "./format-count.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A time in a sentence for people: `3 minutes`, `2.5 seconds`, `1 hour 30 minutes`. */
export function spellDuration(milliseconds: number): string {
	if (milliseconds < SECOND_MS) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < MINUTE_MS) return formatCount(Math.round(milliseconds / 100) / 10, "second");
	const [large, largeName, small, smallName] =
		milliseconds < HOUR_MS
			? ([MINUTE_MS, "minute", SECOND_MS, "second"] as const)
			: ([HOUR_MS, "hour", MINUTE_MS, "minute"] as const);
	const rounded = Math.round(milliseconds / small) * small;
	const rest = (rounded % large) / small;
	const whole = formatCount(Math.floor(rounded / large), largeName);
	return rest === 0 ? whole : `${whole} ${formatCount(rest, smallName)}`;
}
