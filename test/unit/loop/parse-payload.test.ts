import { expect, it } from "vitest";
import { parsePayload } from "../../../src/loop/parse-payload.ts";

it("reads a payload that begins with a byte order mark", () => {
	const payload = { model: "navigator", provider: "offline", prompt: "x", tool_subset: ["bash_find"] };
	expect(parsePayload(`\uFEFF${JSON.stringify(payload)}`)).toMatchObject({ prompt: "x" });
});
