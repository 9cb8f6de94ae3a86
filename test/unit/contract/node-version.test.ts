import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
	isNodeOlder,
	OLDEST_NODE,
	parseNodeVersion,
	permissionFlag,
} from "../../../src/contract/node-version.ts";

it.each([
	["20.18.9", true],
	["20.19.0", false],
	["18.20.0", true],
	["22.0.0", false],
	["nonsense", true],
])("Node %s is older than the oldest that works: %s", (version, isOlder) => {
	expect(isNodeOlder([20, 19], version)).toBe(isOlder);
});

it("is what package.json asks npm for", () => {
	const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8")) as {
		readonly engines: { readonly node: string };
	};
	expect(parseNodeVersion(manifest.engines.node)).toEqual(OLDEST_NODE);
});

it("names the permission flag as each Node does", () => {
	expect(permissionFlag("20.20.2")).toBe("--experimental-permission");
	expect(permissionFlag("22.12.0")).toBe("--experimental-permission");
	expect(permissionFlag("22.19.0")).toBe("--permission");
});
