import { describe, expect, it } from "vitest";
import { findTagEnd } from "../../xml/find-tag-end.ts";

describe("findTagEnd", () => {
	it.each([
		["<a>", 2],
		['<a b=">">', 8],
		["<a b='>\"' c>", 11],
		["<a b='x\">' c=\"'>\">", 17],
		["<a", -1],
		['<a b=">', -1],
	])("finds the end of %s at %i, in text and in bytes", (tag, end) => {
		expect(findTagEnd(`${tag}text`.slice(0, end === -1 ? tag.length : undefined), 0)).toBe(end);
		expect(findTagEnd(Buffer.from(tag), 0)).toBe(end);
	});

	it("starts at the tag it is given", () => {
		expect(findTagEnd("<a><bc>", 3)).toBe(6);
	});
});
