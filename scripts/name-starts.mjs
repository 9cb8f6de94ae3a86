// Which of our modules share a file of dist/ because the same entry points load them at their start.
import { findSource, listNamedImports } from "./package-index.mjs";

/** What this many entry points load at their start is one file: a file costs more time than a few small modules that one of them does not need. */
const LOADED_BY_MOST = 3;

/**
 * `modules` are `{ id, code, importedIds, isEntry }`, `quick` the entry points that must load as few files as possible: all that
 * one of them loads is in the shared file too. Returns the name of the file of each module that an entry point loads at its start.
 * Entry points keep their own files.
 */
export function nameStarts(modules, quick = []) {
	const byId = new Map(modules.map((module) => [module.id, module]));
	const entriesOf = new Map();
	for (const { id: entry } of modules.filter(({ isEntry }) => isEntry))
		for (const id of collectImports(byId, entry)) entriesOf.set(id, [...(entriesOf.get(id) ?? []), entry]);
	const shared = [...entriesOf].filter(([id]) => !byId.get(id).isEntry);
	const isShared = (entries) => entries.length >= LOADED_BY_MOST || entries.some((id) => quick.includes(id));
	return new Map(
		shared.map(([id, entries]) => [
			id,
			`start-${isShared(entries) ? "shared" : entries.map(nameEntry).join("-")}`,
		]),
	);
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

const isIndex = (id) => /\/packages\/\w+\/index\.ts$/.test(id);
const toPackage = (id) => `@deputize/${/\/packages\/(\w+)\//.exec(id)[1]}`;
