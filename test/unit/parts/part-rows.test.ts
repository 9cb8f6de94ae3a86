import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PART_NAMES, PART_ROWS } from "../../../src/parts/part-rows.ts";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8")) as {
	readonly dependencies: Readonly<Record<string, string>>;
	readonly devDependencies: Readonly<Record<string, string>>;
};

it.each(PART_NAMES)(
	"%s names development dependencies with exact versions, which users do not install",
	(name) => {
		const { packages, pinned = {} } = PART_ROWS[name];
		for (const each of packages.filter((name) => !(name in pinned))) {
			expect(manifest.devDependencies[each]).toMatch(/^\d+\.\d+\.\d+$/);
			expect(manifest.dependencies[each]).toBeUndefined();
		}
	},
);

it("pins a version and a checksum of what is used as files alone, which nobody installs otherwise", () => {
	const pinned = PART_NAMES.flatMap((name) => Object.entries(PART_ROWS[name].pinned ?? {}));
	expect(pinned.length).toBeGreaterThan(0);
	for (const [name, { version, integrity, bytes }] of pinned) {
		expect(version).toMatch(/^\d+\.\d+\.\d+$/);
		expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
		expect(bytes).toBeGreaterThan(0);
		expect(manifest.devDependencies[name] ?? manifest.dependencies[name]).toBeUndefined();
	}
});
