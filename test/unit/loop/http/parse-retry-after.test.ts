import { describe, expect, it } from "vitest";
import { chooseRetryDelay, parseRetryAfter } from "../../../../src/loop/http/parse-retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const parse = (headers: Record<string, string>) => parseRetryAfter((name) => headers[name] ?? "", now);

describe("parseRetryAfter", () => {
	it.each([
		[{ "retry-after": "3" }, 3000],
		[{ "retry-after": "0.5" }, 500],
		[{ "retry-after-ms": "250", "retry-after": "9" }, 250],
		[{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
		[{ "retry-after": "Thu, 01 Jan 2020 00:00:00 GMT" }, 0],
		[{ "retry-after": "soon" }, undefined],
		[{}, undefined],
	])("%j", (headers, expected) => {
		expect(parse(headers)).toBe(expected);
	});
});

describe("chooseRetryDelay", () => {
	it("does what the server asks, up to a minute", () => {
		expect(chooseRetryDelay(0, 2000, () => 0)).toBe(2000);
		expect(chooseRetryDelay(0, 3_600_000, () => 0.5)).toBe(60_000);
	});

	it("doubles otherwise, never the same for everybody", () => {
		expect(chooseRetryDelay(0, undefined, () => 0)).toBe(375);
		expect(chooseRetryDelay(1, undefined, () => 1)).toBe(1250);
		expect(chooseRetryDelay(20, undefined, () => 1)).toBe(60_000);
	});
});
