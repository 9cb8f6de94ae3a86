import { ENTRY_POINTS } from "./src/entry-points.ts";

export default {
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
	ignoreExportsUsedInFile: true,
	ignoreDependencies: ["@earendil-works/pi-agent-core"],
	rules: { unlisted: "off", unresolved: "off", binaries: "off" },
};
