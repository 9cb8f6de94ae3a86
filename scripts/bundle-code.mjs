import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { ENTRY_POINTS } from "../src/entry-points.ts";
import { createAgentCompiler } from "./compile-agents.mjs";
import { root } from "./install-dependencies.mjs";
import { nameLibraries } from "./name-libraries.mjs";
import { planChunks } from "./plan-chunks.mjs";

/** Fewer than this many shared files if nobody loads too much for it. */
const MOST_SHARED_FILES = 40;

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const INSTALLED = Object.keys({ ...dependencies, ...peerDependencies });

const PACKAGE_DIRECTORY = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

const INPUT = {
	cwd: root,
	platform: "node",
	// What the package depends on stays a package; pi's are where pi's loader knows them. Everything else is a development
	// dependency and becomes a file here.
	external: (id) => INSTALLED.some((name) => id === name || id.startsWith(`${name}/`)),
	transform: { target: "node20.19" },
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
 * some under names of their own: benches measure parts of the package that are no entry points. Returns the directories of
 * the packages whose code is in it.
 */
export async function bundleCode(directory, more = {}) {
	const points = Object.entries({ ...ENTRY_POINTS, ...more }).map(([name, point]) => ({ name, ...point }));
	const sharing = points.filter(({ isAlone }) => !isAlone);
	const directories = await Promise.all([
		bundleShared(directory, sharing),
		...points
			.filter(({ isAlone }) => isAlone)
			.map((point) => bundle({ input: toInput([point]) }, { dir: directory, codeSplitting: false })),
	]);
	return new Set(directories.flat());
}

const toInput = (points) => Object.fromEntries(points.map(({ name, source }) => [name, `src/${source}`]));

async function bundleShared(directory, points) {
	const quick = new Map(points.map((point) => [join(root, "src", point.source), point.quick]));
	const names = new Map();
	const groups = [{ debugName: "planned", name: (id) => names.get(id) ?? null }];
	return bundle(
		{ input: toInput(points), plugins: [createAgentCompiler(), createPlanner(names, quick), FACADE_REMOVER] },
		{ dir: directory, codeSplitting: { includeDependenciesRecursively: false, groups } },
	);
}

async function bundle(input, output) {
	const build = await rolldown({ ...INPUT, ...input });
	const { output: files } = await build.write({ ...OUTPUT, ...output });
	await build.close();
	return files.flatMap(({ moduleIds = [] }) =>
		moduleIds.flatMap((id) => PACKAGE_DIRECTORY.exec(id)?.[0] ?? []),
	);
}

/** Loaded by Node itself before any program. */
const CHEAP_BUILTINS = /^node:(?:buffer|events|fs|fs\/promises|os|path|timers\/promises|url|util)$/;

/** Fills `names` with the file of each module, when all are known. A file is named for its largest module. */
function createPlanner(names, quick) {
	return {
		name: "plan-chunks",
		buildEnd() {
			const all = [...this.getModuleIds()].filter(isAbsolute).map((id) => this.getModuleInfo(id));
			for (const [id, name] of nameLibraries(all, isOwn)) names.set(id, name);
			const infos = all.filter(({ id }) => isOwn(id));
			const modules = new Map(
				infos.map((info) => [info.id, { ...toModule(info), quick: quick.get(info.id) }]),
			);
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

const isOwn = (id) => isAbsolute(id) && !id.includes("/node_modules/");

function toModule({ code, importedIds, dynamicallyImportedIds, isEntry }) {
	return {
		size: code?.length ?? 0,
		imports: importedIds.filter(isOwn),
		dynamicImports: dynamicallyImportedIds.filter(isOwn),
		packages: importedIds.filter((id) => !isOwn(id) && !CHEAP_BUILTINS.test(id)),
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
