import { readStoredKeys } from "../config/read-stored-keys.ts";
import type { Surroundings } from "../config/read-surroundings.ts";
import { LIMITS } from "../contract/limits.ts";
import type { DisplayItem, RedactedText } from "../contract/result.ts";
import { collectSecrets } from "../text/collect-secrets.ts";
import { sanitizeOutput, sanitizeValue } from "../text/sanitize-output.ts";
import type { CollectedItem } from "./collect-output.ts";

/** Redaction with this run's own secrets. Every outlet of a delegation goes through one of these. */
export interface Redact {
	text(text: string): RedactedText;
	args(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
	items(items: readonly CollectedItem[]): readonly DisplayItem[];
}

export function createRedact({ env, home, agentDirectory }: Surroundings): Redact {
	const settings = { secrets: collectSecrets(env, readStoredKeys(agentDirectory)), home };
	const text = (value: string): RedactedText => sanitizeOutput(value, settings);
	const args = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
		sanitizeValue(shorten(value), settings) as Readonly<Record<string, unknown>>;
	return {
		text,
		args,
		items: (items) =>
			items.map((item) =>
				item.type === "text" ? { type: "text", text: text(item.text) } : { ...item, args: args(item.args) },
			),
	};
}

/** Arguments are for display: a file's whole content has no place in them. */
function shorten(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.fromEntries(
		Object.entries(args).map(([name, value]) =>
			typeof value === "string" && value.length > LIMITS.maxDisplayArgumentChars
				? [name, `${value.slice(0, LIMITS.maxDisplayArgumentChars)}…`]
				: [name, value],
		),
	);
}
