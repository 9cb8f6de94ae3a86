import { expect, it } from "vitest";
import { listAncestors } from "../../paths/list-ancestors.ts";

it("begins with the directory and ends with the root", () => {
	expect([...listAncestors("/a/b")]).toEqual(["/a/b", "/a", "/"]);
	expect([...listAncestors("/")]).toEqual(["/"]);
});
