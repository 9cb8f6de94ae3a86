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
		for (const each of PART_ROWS[name].packages) {
			expect(manifest.devDependencies[each]).toMatch(/^\d+\.\d+\.\d+$/);
			expect(manifest.dependencies[each]).toBeUndefined();
		}
	},
);
