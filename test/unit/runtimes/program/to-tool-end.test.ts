import { expect, it } from "vitest";
import { toToolEnd } from "../../../../src/runtimes/program/to-tool-end.ts";

const end = { id: "1", name: "edit", isError: true };

it("says with which code a tool of ours failed, so that it does not count as refused by somebody", () => {
	expect(toToolEnd({ ...end, output: "EDIT_NOT_FOUND: The text is not there." })).toMatchObject({
		code: "EDIT_NOT_FOUND",
	});
	expect(toToolEnd({ ...end, output: "No, said a gate." })).not.toHaveProperty("code");
	expect(toToolEnd({ ...end, isError: false, output: "DONE: yes" })).not.toHaveProperty("code");
});
