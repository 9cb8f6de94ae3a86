import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Fault files that `scripts/mutants.mjs` names for a room, such as `sessions`: they take seconds where unit tests take milliseconds. */
const faults = (process.env["DEPUTIZE_MUTANTS_FAULTS"] ?? "").split(",").filter((name) => name !== "");

// What the whole suite has and this has not: a build before the tests, since the mutants are in the sources, and the tests of
// scripts, which read the sources as text.
export default defineConfig({
	// The copy that is mutated has links to the packages of the original: without this, classes would be there twice.
	resolve: {
		alias: [
			{ find: /^@deputize\/(\w+)$/, replacement: resolve(import.meta.dirname, "../../packages/$1/index.ts") },
		],
	},
	test: {
		pool: "forks",
		globalSetup: ["test/mutants/global-setup.ts"],
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["test/unit/**/*.test.ts", "packages/*/test/**/*.test.ts"],
					exclude: ["test/unit/scripts/**"],
					testTimeout: 30_000,
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: "faults",
					include: faults.map((name) => `test/faults/${name}.test.ts`),
					testTimeout: 60_000,
					retry: 1,
				},
			},
		],
	},
});
