import { expect, it } from "vitest";
import { decodePercent } from "../../markup/decode-percent.ts";

it("keeps what is not encoded correctly", () => {
	expect(decodePercent("a%20b%C3%A4")).toBe("a bä");
	expect(decodePercent("100%")).toBe("100%");
});
