import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "../../waiting/parse-retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("parseRetryAfter", () => {
	it.each([
		[{ "retry-after": "3" }, 3000],
		[{ "retry-after": " 7 " }, 7000],
		[{ "retry-after": "0" }, 0],
		[{ "retry-after": "0.5" }, 500],
		[{ "retry-after-ms": "250", "retry-after": "9" }, 250],
		[{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
		[{ "retry-after": "Thu, 01 Jan 2020 00:00:00 GMT" }, 0],
		[{ "retry-after": "soon" }, undefined],
		[{ "retry-after": "-5" }, undefined],
		[{ "retry-after": "1e9" }, undefined],
		[{ "retry-after": "" }, undefined],
		[{}, undefined],
	])("%j", (headers: Record<string, string>, expected) => {
		expect(parseRetryAfter((name) => headers[name], now)).toBe(expected);
		expect(parseRetryAfter((name) => headers[name] ?? null, now)).toBe(expected);
	});
});
