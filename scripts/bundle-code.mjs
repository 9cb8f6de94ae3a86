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
