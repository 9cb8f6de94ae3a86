import { describe, expect, it } from "vitest";
import { snapToName } from "../../../../../src/tools/lsp/actions/snap-to-name.ts";

describe("snapToName", () => {
	it("stays where a name is, also right behind it", () => {
		expect(snapToName("return area(2)", 9)).toEqual({ name: "area", character: 9, isThere: true });
		expect(snapToName("area(2)", 4)).toEqual({ name: "area", character: 4, isThere: true });
	});

	it("goes to the nearest name on the line", () => {
		expect(snapToName("	  größe = 1", 0)).toEqual({ name: "größe", character: 3, isThere: false });
		expect(snapToName("a        +   bb", 11)).toEqual({ name: "bb", character: 13, isThere: false });
	});

	it("finds nothing on a line without names", () => {
		expect(snapToName("  })); // 1 2 3".slice(0, 5), 2)).toBeUndefined();
	});

	it.each([
		["größe", 2, "größe"],
		["größe", 0, "größe"],
		["groß", 1, "groß"],
		["ägypten", 5, "ägypten"],
		["12ab", 1, undefined],
		["x1", 2, "x1"],
		["$a_b", 4, "$a_b"],
		["變數x", 3, "變數x"],
		["𝒞at", 4, "𝒞at"],
	])("takes the whole name in %j at %i", (line, character, name) => {
		const snapped = snapToName(line, character);
		if (name === undefined) expect(snapped?.name).toBe("ab");
		else expect(snapped).toEqual({ name, character, isThere: true });
	});
});
