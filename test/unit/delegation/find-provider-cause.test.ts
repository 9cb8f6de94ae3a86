import { describe, expect, it } from "vitest";
import { findProviderCause } from "../../../src/delegation/find-provider-cause.ts";

describe("findProviderCause", () => {
	it.each([
		['429 {"error":{"message":"Rate limit reached. Please retry after 20s"}}', "rate_limited", 429, 20_000],
		['429 {"error":{"code":"insufficient_quota"}}', "quota_exceeded", 429, undefined],
		["401 invalid key", "unauthorized", 401, undefined],
		["Error: status code 503 (no body)", "overloaded", 503, undefined],
		['529 {"type":"overloaded_error"}', "overloaded", 529, undefined],
		["500 internal error", "provider", 500, undefined],
		["400 temperature is not supported", "bad_request", 400, undefined],
		["Connection error.", "network", undefined, undefined],
		["connect ECONNREFUSED 127.0.0.1:443", "network", undefined, undefined],
		["Overloaded, try later", "overloaded", undefined, undefined],
		["Something else about port 443", "provider", undefined, undefined],
		["", "provider", undefined, undefined],
	])("reads %j", (message, kind, status, retryAfterMs) => {
		expect(findProviderCause({ message })).toEqual({
			kind,
			...(status === undefined ? {} : { status }),
			...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		});
	});

	it("believes facts of the runtime more than words", () => {
		expect(findProviderCause({ message: "401 is what it says", status: 429, retryAfterMs: 5 })).toEqual({
			kind: "rate_limited",
			status: 429,
			retryAfterMs: 5,
		});
	});

	it("takes no time for a message made to slow it down", () => {
		const startedAt = performance.now();
		findProviderCause({ message: `${"retry after ".repeat(50_000)}${"status ".repeat(50_000)}` });
		expect(performance.now() - startedAt).toBeLessThan(1000);
	});
});
