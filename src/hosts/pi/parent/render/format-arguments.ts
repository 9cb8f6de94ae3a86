const SHOWN_VALUE_CHARS = 80;

/** The values of a call's arguments, which say more in little room than their names do. */
export function formatArguments(args: Readonly<Record<string, unknown>>): string {
	return Object.values(args)
		.filter((value) => value !== undefined && value !== null && value !== "")
		.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
		.map((text) => (text.length > SHOWN_VALUE_CHARS ? `${text.slice(0, SHOWN_VALUE_CHARS)}…` : text))
		.join(" ");
}
