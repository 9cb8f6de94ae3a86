import { MAX_TIMEOUT_MS } from "./limits.ts";

/** Whether a value is a whole number of milliseconds that a timer can wait. */
export function isTimeout(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMEOUT_MS;
}
