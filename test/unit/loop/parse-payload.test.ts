import { expect, it } from "vitest";
import { describeIgnoredFields, parsePayload } from "../../../src/loop/parse-payload.ts";

it("reads a payload that begins with a byte order mark", () => {
	const payload = { model: "navigator", provider: "offline", prompt: "x", tool_subset: ["bash_find"] };
	expect(parsePayload(`\uFEFF${JSON.stringify(payload)}`, { isFromParent: false })).toMatchObject({
		prompt: "x",
	});
});

it("takes a payload with fields of somebody else's and names them", () => {
	const payload = {
		model: "navigator",
		provider: "offline",
		prompt: "x",
		request_id: 7,
		max_turn: 3,
		stream: null,
	};
	const { ignored, maxTurns } = parsePayload(JSON.stringify(payload), { isFromParent: false });
	expect(maxTurns).toBe(25);
	expect(describeIgnoredFields(ignored)).toEqual([
		'"request_id" is not a field of the payload and was ignored.',
		'"max_turn" is not a field of the payload and was ignored. Did you mean "max_turns"?',
	]);
});
