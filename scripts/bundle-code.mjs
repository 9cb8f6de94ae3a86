import * as esbuild from "esbuild";
import { ENTRY_POINTS } from "../src/entry-points.ts";
import { root } from "./install-dependencies.mjs";

const OPTIONS = {
	absWorkingDir: root,
	bundle: true,
	format: "esm",
	platform: "node",
	target: "node22.19",
	// Dependencies stay packages of their own; pi's are where pi's loader knows them.
	packages: "external",
	logLevel: "warning",
};

/** The page of `deputize view`, with Preact inside: a browser loads one script and one stylesheet, from here only. */
export function bundlePage(directory) {
	return esbuild.build({
		absWorkingDir: root,
		entryPoints: { "view-page": "page/main.tsx" },
		outdir: directory,
		bundle: true,
		minify: true,
		charset: "utf8",
		format: "esm",
		platform: "browser",
		target: ["chrome123", "firefox120", "safari17.5"],
		// Elements as calls of one short name: the page has to stay small.
		jsx: "transform",
		jsxFactory: "h",
		jsxFragment: "Fragment",
		inject: ["page/jsx.ts"],
		tsconfigRaw: {},
		banner: { js: "/* Preact: MIT, (c) 2015-present Jason Miller */" },
		logLevel: "warning",
	});
}

/**
 * Bundles all entry points into one flat directory, so that code finds them from whichever chunk it is in. `more` adds
 * some under names of their own: benches measure parts of the package that are no entry points.
 */
export async function bundleCode(directory, more = {}) {
	const points = Object.entries({ ...ENTRY_POINTS, ...more }).map(([name, point]) => ({ name, ...point }));
	const toInput = (chosen) => Object.fromEntries(chosen.map(({ name, source }) => [name, `src/${source}`]));
	const alone = points.filter(({ isAlone }) => isAlone);
	const sharing = points.filter(({ isAlone }) => !isAlone);
	await Promise.all([
		esbuild.build({
			...OPTIONS,
			entryPoints: toInput(sharing),
			outdir: directory,
			splitting: true,
			chunkNames: "[name]-[hash]",
		}),
		esbuild.build({ ...OPTIONS, entryPoints: toInput(alone), outdir: directory }),
	]);
}
