import { defineConfig } from "vitest/config";

// Four processes for two cores: more than half the time of the slow suites is waiting, for limits, grace periods and leases.
// They get generous deadlines because a loaded machine must never turn a correct run red; nothing here asserts
// speed (that is bench/'s job).
export default defineConfig({
	test: {
		reporters: ["default", "./test/helpers/skip-reporter.ts", "./test/helpers/security-reporter.ts"],
		pool: "forks",
		maxWorkers: 4,
		globalSetup: ["test/helpers/global-setup.ts"],
		projects: [
			// No module of src/ has state of its own, so that files can share a process: to start one for each and load everything
			// again would be half of their time.
			{ extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts", "packages/*/test/**/*.test.ts"], testTimeout: 30_000, isolate: false } },
			// Real processes, browsers, terminals and servers of others: what fails once on two busy cores is tried again; what fails
			// twice is red.
			{ extends: true, test: { name: "faults", include: ["test/faults/**/*.test.ts"], testTimeout: 60_000, retry: 1 } },
			{ extends: true, test: { name: "security", include: ["test/security/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 90_000, retry: 1 } },
			{ extends: true, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 90_000, retry: 1 } },
			{ extends: true, test: { name: "docs", include: ["test/docs/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
		],
	},
});
