import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codeOf, messageOf } from "../../json/describe-thrown.ts";

it("names a system error by its code and anything else by its words", () => {
	const read = (): unknown => {
		try {
			return readFileSync("/does/not/exist");
		} catch (error) {
			return error;
		}
	};
	expect(codeOf(read())).toBe("ENOENT");
	expect(codeOf(new Error("torn"))).toBe("Error: torn");
	expect(messageOf(new Error("torn"))).toBe("torn");
	expect(messageOf("thrown text")).toBe("thrown text");
});
