import { isAbsolute, relative } from "node:path";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { ENTRY_POINTS } from "../src/entry-points.ts";
import { root } from "./install-dependencies.mjs";
import { planChunks } from "./plan-chunks.mjs";

/** Fewer than this many shared files if nobody loads too much for it. */
const MOST_SHARED_FILES = 40;

const INPUT = {
	cwd: root,
	platform: "node",
	// Dependencies stay packages of their own; pi's are where pi's loader knows them.
	external: /^[^./\0]/,
	transform: { target: "node22.19" },
	preserveEntrySignatures: "allow-extension",
	logLevel: "warn",
	// Imports that are lazy in one place and not in another are meant to be.
	checks: { ineffectiveDynamicImport: false, pluginTimings: false },
};
const OUTPUT = {
	format: "esm",
	entryFileNames: "[name].js",
	chunkFileNames: "[name].js",
	minifyInternalExports: false,
	comments: false,
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
 * Bundles all entry points into one flat directory, so that code finds them from whichever file it is in. `more` adds
 * some under names of their own: benches measure parts of the package that are no entry points.
 */
export async function bundleCode(directory, more = {}) {
	const points = Object.entries({ ...ENTRY_POINTS, ...more }).map(([name, point]) => ({ name, ...point }));
	const sharing = points.filter(({ isAlone }) => !isAlone);
	await Promise.all([
		bundleShared(directory, toInput(sharing)),
		...points
			.filter(({ isAlone }) => isAlone)
			.map((point) => bundle({ input: toInput([point]) }, { dir: directory, codeSplitting: false })),
	]);
}

const toInput = (points) => Object.fromEntries(points.map(({ name, source }) => [name, `src/${source}`]));

async function bundleShared(directory, input) {
	const names = new Map();
	const groups = [{ debugName: "planned", name: (id) => names.get(id) ?? null }];
	await bundle(
		{ input, plugins: [createPlanner(names), FACADE_REMOVER] },
		{ dir: directory, codeSplitting: { includeDependenciesRecursively: false, groups } },
	);
}

async function bundle(input, output) {
	const build = await rolldown({ ...INPUT, ...input });
	await build.write({ ...OUTPUT, ...output });
	await build.close();
}

/** Loaded by Node itself before any program. */
const CHEAP_BUILTINS = /^node:(?:buffer|events|fs|fs\/promises|os|path|timers\/promises|url|util)$/;

/** Fills `names` with the file of each module, when all are known. A file is named for its largest module. */
function createPlanner(names) {
	return {
		name: "plan-chunks",
		buildEnd() {
			const infos = [...this.getModuleIds()].filter(isAbsolute).map((id) => this.getModuleInfo(id));
			const modules = new Map(infos.map((info) => [info.id, toModule(info)]));
			const taken = new Set(infos.filter(({ isEntry }) => isEntry).map(({ id }) => toName(id)));
			for (const ids of planChunks(modules, MOST_SHARED_FILES)) {
				const bySize = ids.toSorted((one, other) => modules.get(other).size - modules.get(one).size);
				const name = bySize.map(toName).find((candidate) => !taken.has(candidate)) ?? `shared-${taken.size}`;
				taken.add(name);
				for (const id of ids) names.set(id, `part-${name}`);
			}
		},
	};
}

function toModule({ code, importedIds, dynamicallyImportedIds, isEntry }) {
	return {
		size: code?.length ?? 0,
		imports: importedIds.filter(isAbsolute),
		dynamicImports: dynamicallyImportedIds.filter(isAbsolute),
		packages: importedIds.filter((id) => !isAbsolute(id) && !CHEAP_BUILTINS.test(id)),
		isEntry,
	};
}

const toName = (id) =>
	relative(root, id)
		.replace(/^.*\//, "")
		.replace(/\.\w+$/, "");

const FACADE = /^export \{[^}]*\} from "\.\/([^"]+)";\s*$/;
const DYNAMIC_IMPORT = /\bimport\("\.\/([^"]+)"\)/g;

/** A target of `import()` that is in a shared file gets a file that only points there: its importers may look there themselves. */
const FACADE_REMOVER = {
	name: "remove-facades",
	generateBundle(_options, files) {
		const targets = new Map();
		for (const [name, { code = "", isEntry }] of Object.entries(files)) {
			const target = FACADE.exec(code)?.[1];
			if (target !== undefined && !isEntry && !code.includes(" as ")) targets.set(name, target);
		}
		for (const name of targets.keys()) delete files[name];
		for (const file of Object.values(files)) {
			file.code = file.code.replace(DYNAMIC_IMPORT, (whole, name) =>
				targets.has(name) ? `import("./${targets.get(name)}")` : whole,
			);
		}
	},
};
