import { expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { nameLibraries } from "../../../scripts/name-libraries.mjs";

const module = (id: string, importedIds: string[] = [], dynamicallyImportedIds: string[] = [], size = 1) => ({
	id,
	code: "x".repeat(size),
	importedIds,
	dynamicallyImportedIds,
});
const isOwn = (id: string): boolean => !id.includes("/node_modules/");
const of = (path: string): string => `/r/node_modules/${path}`;

it("puts together what the same imports of ours reach, and names it for what most of it is", () => {
	const names: Map<string, string> = nameLibraries(
		[
			module("/r/src/a.ts", ["node:fs", of("one/index.js"), "/r/src/b.ts"]),
			module("/r/src/b.ts", [], [of("@s/two.js/index.js")]),
			module(of("one/index.js"), [of("one/more.js"), of("shared/index.js")]),
			module(of("one/more.js")),
			module(of("@s/two.js/index.js"), [of("big/index.js"), of("shared/index.js")]),
			module(of("big/index.js"), [], [of("late/index.js")], 100),
			module(of("late/index.js"), [of("shared/index.js")]),
			module(of("shared/index.js")),
		],
		isOwn,
	);
	expect(Object.fromEntries(names)).toEqual({
		[of("one/index.js")]: "library-one",
		[of("one/more.js")]: "library-one",
		[of("@s/two.js/index.js")]: "library-big",
		[of("big/index.js")]: "library-big",
		[of("late/index.js")]: "library-late",
		[of("shared/index.js")]: "library-shared",
	});
});

it("numbers files of the same package", () => {
	const names: Map<string, string> = nameLibraries(
		[
			module("/r/src/a.ts", [of("one/a.js")]),
			module("/r/src/b.ts", [of("one/b.js")]),
			module(of("one/a.js")),
			module(of("one/b.js")),
		],
		isOwn,
	);
	expect([...names.values()]).toEqual(["library-one", "library-one-2"]);
});
