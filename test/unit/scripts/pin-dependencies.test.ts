import { expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { toPinnedManifest } from "../../../scripts/pin-dependencies.mjs";

it("pins what is installed beside us, and nothing of developers or of one platform", () => {
	const manifest = {
		name: "x",
		workspaces: ["packages/*"],
		dependencies: { a: "1.0.0" },
		optionalDependencies: { o: "1.0.0" },
	};
	const packages = {
		"": { name: "x", version: "0.1.0" },
		"node_modules/a": { version: "1.0.0" },
		"node_modules/a/node_modules/b": { version: "2.0.0" },
		"node_modules/b": { version: "1.5.0" },
		"node_modules/c/node_modules/@s/only-inside": { version: "3.1.0" },
		"node_modules/@s/only-inside": { version: "9.0.0", dev: true },
		"node_modules/@x/workspace": { resolved: "packages/workspace", link: true },
		"node_modules/d": { version: "1.0.0", dev: true },
		"node_modules/o": { version: "1.0.0", optional: true },
		"node_modules/of-o": { version: "4.0.0", optional: true },
		"node_modules/binary-linux": { version: "1.0.0", optional: true, os: ["linux"] },
	};
	expect(toPinnedManifest(manifest, { packages })).toEqual({
		name: "x",
		dependencies: { "@s/only-inside": "3.1.0", a: "1.0.0", b: "1.5.0" },
		optionalDependencies: { o: "1.0.0", "of-o": "4.0.0" },
	});
});
