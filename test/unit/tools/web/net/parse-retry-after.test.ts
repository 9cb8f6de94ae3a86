import { expect, it } from "vitest";
import { parseRetryAfter } from "../../../../../src/tools/web/net/parse-retry-after.ts";

const NOW = Date.parse("2026-11-15T10:00:00Z");

it.each([
	["0", 0],
	["120", 120_000],
	[" 7 ", 7000],
	["Sun, 15 Nov 2026 10:01:00 GMT", 60_000],
	["Sun, 15 Nov 2026 09:00:00 GMT", 0],
	["soon", undefined],
	["-5", undefined],
	["1e9", undefined],
	["", undefined],
	[null, undefined],
	[undefined, undefined],
])("reads Retry-After %j as %j ms", (value, expected) => {
	expect(parseRetryAfter(value, NOW)).toBe(expected);
});
