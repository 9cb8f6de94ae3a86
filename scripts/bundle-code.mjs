import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { ENTRY_POINTS } from "../src/entry-points.ts";
import { createAgentCompiler } from "./compile-agents.mjs";
import { root } from "./install-dependencies.mjs";
import { nameLibraries } from "./name-libraries.mjs";
import { nameStarts } from "./name-starts.mjs";

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
	// What it offers Node requires its own files in a way that no bundler follows.
	resolve: { alias: { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") } },
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
		// Of the ground it uses a few pure functions; what reads files is left out with all that it imports.
		external: ["node:*", "@cfworker/*"],
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

/** What people wait for after the start of an entry point. */
const COMMANDS = ["delegation/delegate.ts", "commands/list-agents.ts"];

async function bundleShared(directory, points) {
	const names = new Map();
	const listSources = (start) =>
		points.filter((point) => point.start === start).map(({ source }) => join(root, "src", source));
	const starts = [...listSources("awaited"), ...COMMANDS.map((source) => join(root, "src", source))];
	const namer = createNamer(names, starts, listSources("quick"));
	return bundle(
		{ input: toInput(points), plugins: [createAgentCompiler(), namer, FACADE_REMOVER] },
		{
			dir: directory,
			codeSplitting: {
				includeDependenciesRecursively: false,
				groups: [{ name: (id) => names.get(id) ?? null }],
			},
		},
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

/**
 * Fills `names` with the file of each module of a library, and of each of ours that is loaded at a start that somebody waits for: those
 * that the same ones load share a file. What is loaded later is left to the bundler.
 */
function createNamer(names, starts, quick) {
	return {
		name: "name-files",
		buildEnd() {
			const modules = [...this.getModuleIds()].filter(isAbsolute).map((id) => this.getModuleInfo(id));
			for (const [id, name] of nameLibraries(modules, isOwn)) names.set(id, name);
			for (const [id, name] of nameStarts(
				modules.filter(({ id }) => isOwn(id)),
				starts,
				quick,
			))
				names.set(id, name);
		},
	};
}

const isOwn = (id) => isAbsolute(id) && !id.includes("/node_modules/");

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
