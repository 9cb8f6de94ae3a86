import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** What `scripts/mutants.mjs` names for a room: its own unit tests, and faults, which take seconds where unit tests take milliseconds. */
const tests = (process.env["DEPUTIZE_MUTANTS_TESTS"] ?? "").split(",");

// Without the build of the whole suite: the mutants are in the sources.
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
					include: tests.filter((pattern) => !pattern.startsWith("test/faults/")),
					testTimeout: 30_000,
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: "faults",
					include: tests.filter((pattern) => pattern.startsWith("test/faults/")),
					testTimeout: 60_000,
					retry: 1,
				},
			},
		],
	},
});
