// Which of our modules share a file of dist/ because the same starts load them.
import { findSource, listNamedImports } from "./package-index.mjs";

/** What this many of them load is one file: a file costs more time than a few small modules that one of them does not need. */
const LOADED_BY_MOST = 3;

/**
 * `modules` are `{ id, code, importedIds }`. `starts` are those that somebody waits for: what the same ones load shares a file.
 * `quick` are those whose first answer must come at once: all that one of them loads is a single file. Returns the name of the
 * file of each module that one of them loads at its start; they themselves keep their own files.
 */
export function nameStarts(modules, starts, quick = []) {
	const byId = new Map(modules.map((module) => [module.id, module]));
	const loadedBy = new Map();
	for (const start of [...starts, ...quick])
		for (const id of collectImports(byId, start)) loadedBy.set(id, [...(loadedBy.get(id) ?? []), start]);
	const nameFile = (loaders) => {
		if (loaders.some((id) => quick.includes(id))) return "quick";
		return loaders.length >= LOADED_BY_MOST ? "common" : loaders.map(nameEntry).join("-");
	};
	// A library of ours is large: it stays apart from small modules that others need without it.
	const named = [...loadedBy].filter(([id]) => !byId.get(id).isEntry && !isLibrary(id));
	return new Map(named.map(([id, loaders]) => [id, `start-${nameFile(loaders)}`]));
}

/** Two are called `main`. */
const nameEntry = (id) => id.replace(/\.ts$/, "").split("/").slice(-2).join("-");

function collectImports(byId, entry) {
	const reached = new Set([entry]);
	for (const id of reached) for (const next of listImports(byId, byId.get(id))) reached.add(next);
	return reached;
}

/** Of the index of a package, what it passes on under the names that are imported: the rest of the package is not loaded. */
function listImports(byId, { code, importedIds }) {
	const indexes = new Map(importedIds.filter(isIndex).map((id) => [toPackage(id), byId.get(id)]));
	const passedOn = [...listNamedImports(code ?? "")].flatMap(({ names, from }) => {
		const index = indexes.get(from);
		return index === undefined
			? []
			: names.map((name) => findSource({ path: index.id, text: index.code }, name));
	});
	return [...importedIds.filter((id) => !isIndex(id)), ...passedOn].filter((id) => byId.has(id));
}

const isLibrary = (id) => /\/packages\/(?!ground\/)\w+\//.test(id);
const isIndex = (id) => /\/packages\/\w+\/index\.ts$/.test(id);
const toPackage = (id) => `@deputize/${/\/packages\/(\w+)\//.exec(id)[1]}`;
