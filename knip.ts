import { ENTRY_POINTS } from "./src/entry-points.ts";
import { PART_ROWS } from "./src/parts/part-rows.ts";

export default {
	workspaces: {
		".": {
			entry: [
				...Object.values(ENTRY_POINTS).map(({ source }) => `src/${source}`),
				"test/**/*.test.ts",
				"test/fixtures/**/*.mjs",
				"bench/**/*.{ts,mjs}",
				"scripts/*.mjs",
				"examples/*.mjs",
				"page/*.{ts,tsx}",
			],
			project: ["src/**/*.ts"],
			// Optional parts are loaded from a directory that is only known at run time.
			ignoreDependencies: [
				"@earendil-works/pi-agent-core",
				...Object.values(PART_ROWS).flatMap(({ packages }) => packages),
			],
		},
		// Tests and benches of a package may look behind its wall.
		"packages/*": {
			entry: ["test/**/*.test.ts", "bench/**/*.{ts,mjs}"],
			project: ["**/*.ts", "!fixtures/**"],
		},
	},
	ignoreExportsUsedInFile: true,
	rules: { unlisted: "off", unresolved: "off", binaries: "off" },
};
