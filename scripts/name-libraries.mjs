// Which modules of other packages share a file of dist/: a pure function of the module graph.

/**
 * A library is loaded when the package would have been: modules that the same imports of ours reach are one file, so nobody
 * loads more of other people's code than before, in one file instead of hundreds. `modules` are `{ id, code,
 * importedIds, dynamicallyImportedIds }`; returns the name of the file of each module that is not ours.
 */
export function nameLibraries(modules, isOwn) {
	const byId = new Map(modules.map((module) => [module.id, module]));
	const foreign = modules.filter(({ id }) => !isOwn(id));
	const roots = new Set(foreign.flatMap(({ dynamicallyImportedIds }) => dynamicallyImportedIds));
	for (const { id, importedIds, dynamicallyImportedIds } of modules) {
		if (!isOwn(id)) continue;
		for (const target of [...importedIds, ...dynamicallyImportedIds])
			if (byId.has(target) && !isOwn(target)) roots.add(target);
	}
	const rootsOf = new Map(foreign.map(({ id }) => [id, []]));
	for (const root of [...roots].filter((id) => byId.has(id)).sort())
		for (const id of collectImports(byId, root)) rootsOf.get(id)?.push(root);
	return nameGroups(rootsOf, byId);
}

function collectImports(byId, root) {
	const reached = new Set([root]);
	for (const id of reached)
		for (const next of byId.get(id)?.importedIds ?? []) if (byId.has(next)) reached.add(next);
	return reached;
}

/** A file is named for the package that most of it is of; a second file of that name gets a number. */
function nameGroups(rootsOf, byId) {
	const groups = new Map();
	for (const id of [...rootsOf.keys()].sort()) {
		const key = rootsOf.get(id).join("\n");
		groups.set(key, [...(groups.get(key) ?? []), id]);
	}
	const names = new Map();
	const used = new Map();
	for (const ids of groups.values()) {
		const base = `library-${findLargest(ids, byId)}`;
		const count = (used.get(base) ?? 0) + 1;
		used.set(base, count);
		for (const id of ids) names.set(id, count === 1 ? base : `${base}-${count}`);
	}
	return names;
}

function findLargest(ids, byId) {
	const sizes = new Map();
	for (const id of ids) {
		const name = toPackageName(id);
		sizes.set(name, (sizes.get(name) ?? 0) + (byId.get(id).code?.length ?? 0));
	}
	return [...sizes].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

const toPackageName = (id) =>
	/^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/
		.exec(id)[1]
		.replace(/^@/, "")
		.replaceAll(/[^\w-]/g, "-");
