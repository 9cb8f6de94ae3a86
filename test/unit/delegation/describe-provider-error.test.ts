import { describe, expect, it } from "vitest";
import { describeProviderError } from "../../../src/delegation/describe-provider-error.ts";

describe("what a provider says", () => {
	it.each([
		['401: {"type":"api_error","message":"invalid api key"}', "invalid api key (401)"],
		['429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', "slow down (429)"],
		['{"error":{"message":"no such model"}}', "no such model"],
	])("%s begins with its words, and the wire is below", (said, words) => {
		expect(describeProviderError(said).split("\n")).toEqual([words, said]);
	});

	it.each(["fetch failed", "500: {torn", '400: {"detail":[1]}', "{}"])("%s stays as it is", (said) => {
		expect(describeProviderError(said)).toBe(said);
	});
});
