import { BatchError } from "./batch-error.ts";

const UNITS: Readonly<Record<string, number>> = {
	s: 1000,
	sec: 1000,
	min: 60_000,
	m: 60_000,
	h: 3_600_000,
	hour: 3_600_000,
};

/** `60/min`, `5/s`, `1000/h`. */
export function parseRate(text: string) {
	const [, count, unit] = /^(\d{1,7})\/([a-z]+)$/.exec(text.trim()) ?? [];
	const perMs = UNITS[unit ?? ""];
	if (Number(count) >= 1 && perMs !== undefined) return { count: Number(count), perMs };
	throw new BatchError(
		`A rate is a number per unit, such as 60/min, 5/s or 1000/h, not ${JSON.stringify(text)}.`,
	);
}

/** At most `count` starts within any `perMs`. */
export type Rate = ReturnType<typeof parseRate>;
