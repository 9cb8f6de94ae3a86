import { expect, it } from "vitest";
import { expandHome } from "../../paths/expand-home.ts";

it.each([
	["~", "/home/$&"],
	["~/a", "/home/$&/a"],
	["~name/a", "~name/a"],
	["/a/~", "/a/~"],
	["", ""],
])("expands %j, whatever characters the home directory has", (path, expanded) => {
	expect(expandHome(path, "/home/$&")).toBe(expanded);
});
