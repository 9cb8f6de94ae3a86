// Which modules share a file of dist/: a pure function of the module graph.

/** A file of its own costs about as much time as this many characters of code. */
const COST_OF_FILE = 10_000;
/**
 * How many characters of code a root (an entry point or the target of an `import()`) may load without needing them: few where a
 * program starts, more in what is loaded later.
 */
const MAY_WASTE_EARLY = 30_000;
/** Where every millisecond of the start counts. */
const MAY_WASTE_QUICK = 0;
const MAY_WASTE_LATER = 300_000;
/** What an entry point loads that is not the whole engine. */
const SMALL = 400_000;

/**
 * `modules` maps an id to `{ size, imports, dynamicImports, packages, isEntry, quick }`. Modules that the same roots load belong
 * together, and so does all that quick entry points of one kind share with others, which makes one file of many; then the
 * pair of groups that wastes least is joined, until `most` are left or every further pair would waste too much. A root never
 * loads a package that it did not load before, and no two files import each other. Entry points keep their own files and
 * are not in the result, an array of arrays of ids.
 */
export function planChunks(modules, most) {
	const groups = groupByRoots(modules, findRoots(modules)).filter(({ hasEntry }) => !hasEntry);
	for (const [first, ...others] of groupByKinds(groups)) {
		for (const other of others) replaceByOne(groups, first, other);
	}
	const refused = new Map(groups.map((group) => [group, new Set()]));
	while (groups.length > most) {
		const pair = findCheapestPair(groups, refused);
		if (pair === undefined) break;
		replaceByOne(groups, ...pair);
	}
	return groups.map(({ members }) => members);
}

/** These get all that they load in one file. */
const QUICKEST = "command";

/**
 * All that the quickest entry points load; and of what the other quick ones load, a file for each kind, for what two kinds share,
 * and for what other small programs load too, which would otherwise load all of it. What is shared and not worth a file is
 * in one. What one of these files imports is loaded by at least the same roots, so no two of them import each other.
 */
function groupByKinds(groups) {
	const byKinds = new Map();
	for (const group of groups) {
		const roots = [...group.loadedBy];
		const kinds = new Set(roots.flatMap(({ quick }) => quick ?? []));
		if (kinds.size === 0) continue;
		if (roots.some(({ isSmallProgram }) => isSmallProgram)) kinds.add("others");
		const key = kinds.has(QUICKEST) ? QUICKEST : [...kinds].sort().join();
		byKinds.set(key, [...(byKinds.get(key) ?? []), group]);
	}
	const isSmall = ([key, members]) => key.includes(",") && sumSizes(members) < COST_OF_FILE;
	const { true: small = [], false: others = [] } = Object.groupBy(byKinds, isSmall);
	return [...others.map(([, members]) => members), small.flatMap(([, members]) => members)].filter(
		({ length }) => length > 0,
	);
}

function replaceByOne(groups, kept, gone) {
	const changed = joinGroups(kept, gone);
	groups.splice(groups.indexOf(gone), 1);
	for (const group of groups) {
		redirect(group, gone, kept);
		if (changed.has(group)) group.costs.clear();
		else for (const other of changed) group.costs.delete(other);
	}
}

/** Each with what is loaded when it has been loaded: its own imports, and what everybody who loads it has loaded before. */
function findRoots(modules) {
	const importersOf = new Map();
	for (const [id, { dynamicImports, isEntry }] of modules) {
		if (isEntry) importersOf.set(id, []);
		for (const target of dynamicImports) importersOf.set(target, [...(importersOf.get(target) ?? []), id]);
	}
	/** What is loaded next by these is what somebody waits for. */
	const early = new Set(
		[...modules].flatMap(([id, { isEntry, quick }]) =>
			quick === QUICKEST ? [...collectImports(modules, id)] : isEntry ? [id] : [],
		),
	);
	const roots = [...importersOf].map(([id, importers], number) => {
		const { isEntry, quick } = modules.get(id);
		const own = collectImports(modules, id);
		return {
			number,
			importers: isEntry ? [] : importers,
			own,
			loaded: new Set(isEntry ? own : modules.keys()),
			wasted: 0,
			quick,
			isSmallProgram: isEntry && !quick && sumSizes([...own].map((each) => modules.get(each))) < SMALL,
			mayWaste: chooseWaste(modules, id, importers, early),
		};
	});
	while (roots.map((root) => narrow(root, roots)).some(Boolean));
	for (const root of roots)
		root.packages = new Set([...root.loaded].flatMap((id) => modules.get(id)?.packages ?? []));
	return roots;
}

function chooseWaste(modules, id, importers, early) {
	if (modules.get(id).quick) return MAY_WASTE_QUICK;
	const isEarly = modules.get(id).isEntry || importers.some((importer) => early.has(importer));
	return isEarly ? MAY_WASTE_EARLY : MAY_WASTE_LATER;
}

function collectImports(modules, root) {
	const reached = new Set([root]);
	for (const id of reached) for (const next of modules.get(id)?.imports ?? []) reached.add(next);
	return reached;
}

/** Takes away what one of its importers may not have loaded. True if there was something. */
function narrow(root, roots) {
	if (root.importers.length === 0) return false;
	const before = root.loaded.size;
	for (const importer of root.importers) {
		for (const other of roots) {
			if (!other.own.has(importer)) continue;
			for (const id of root.loaded) if (!root.own.has(id) && !other.loaded.has(id)) root.loaded.delete(id);
		}
	}
	return root.loaded.size < before;
}

function groupByRoots(modules, roots) {
	const groups = new Map();
	const groupOf = new Map();
	for (const [id, { size, packages, isEntry }] of modules) {
		const own = roots.filter((root) => root.own.has(id));
		if (own.length === 0) continue;
		const key = own.map(({ number }) => number).join();
		const group = groups.get(key) ?? createGroup(roots, id);
		groups.set(key, group);
		groupOf.set(id, group);
		group.members.push(id);
		group.size += size;
		group.hasEntry ||= isEntry;
		for (const name of packages) group.packages.add(name);
	}
	for (const [id, group] of groupOf) {
		for (const target of modules.get(id).imports) {
			const other = groupOf.get(target);
			if (other !== undefined && other !== group) group.imports.add(other);
		}
	}
	return [...groups.values()];
}

function createGroup(roots, id) {
	return {
		members: [],
		size: 0,
		hasEntry: false,
		packages: new Set(),
		imports: new Set(),
		/** Those that load it, and those that had it loaded before. */
		loadedBy: new Set(roots.filter((root) => root.own.has(id))),
		knownTo: new Set(roots.filter((root) => root.loaded.has(id))),
		costs: new Map(),
	};
}

/** The first by a rough estimate that really is affordable. What was refused once is not looked at again. */
function findCheapestPair(groups, refused) {
	for (;;) {
		let cheapest = { cost: Number.POSITIVE_INFINITY };
		groups.forEach((left, index) => {
			for (const right of groups.slice(index + 1)) {
				const cost = estimateCost(left, right);
				if (cost < cheapest.cost && !refused.get(left).has(right)) cheapest = { left, right, cost };
			}
		});
		const { left, right } = cheapest;
		if (left === undefined) return undefined;
		if (isAffordable(left, right) && !leadsBack(left, right)) return [left, right];
		refused.get(left).add(right);
	}
}

/** Characters of these two that are loaded in vain, of all roots together. */
function estimateCost(left, right) {
	const known = left.costs.get(right);
	if (known !== undefined) return known;
	const cost =
		left.loadedBy.difference(right.knownTo).size * right.size +
		right.loadedBy.difference(left.knownTo).size * left.size;
	left.costs.set(right, cost);
	return cost;
}

function isAffordable(left, right) {
	for (const { root, groups } of findWaste(left, right)) {
		if (root.wasted + sumSizes(groups) > root.mayWaste) return false;
		if (!groups.every(({ packages }) => packages.isSubsetOf(root.packages))) return false;
	}
	return true;
}

/** What each root would load without needing it: one of the two, and all that it imports. */
function* findWaste(left, right) {
	for (const [wanted, added] of [
		[left, right],
		[right, left],
	]) {
		const reached = new Set([added]);
		for (const group of reached) for (const next of group.imports) reached.add(next);
		for (const root of wanted.loadedBy) {
			const groups = [...reached].filter(({ knownTo }) => !knownTo.has(root));
			if (groups.length > 0) yield { root, groups };
		}
	}
}

const sumSizes = (groups) => groups.reduce((sum, { size }) => sum + size, 0);

/** Whether one imports the other by way of a third: joined, that third would import them and be imported by them. */
function leadsBack(left, right) {
	return leadsThroughThird(left, right) || leadsThroughThird(right, left);
}

function leadsThroughThird(from, to) {
	const seen = new Set([...from.imports].filter((group) => group !== to));
	for (const group of seen) {
		if (group === to) return true;
		for (const next of group.imports) seen.add(next);
	}
	return false;
}

/** Returns the groups that are loaded by more roots than before. */
function joinGroups(kept, gone) {
	const changed = new Set([kept, gone]);
	for (const { root, groups } of [...findWaste(kept, gone)]) {
		root.wasted += sumSizes(groups);
		for (const group of groups) {
			group.loadedBy.add(root);
			group.knownTo.add(root);
			changed.add(group);
		}
	}
	kept.members.push(...gone.members);
	kept.size += gone.size;
	kept.packages = kept.packages.union(gone.packages);
	kept.imports = kept.imports.union(gone.imports);
	kept.imports.delete(kept);
	kept.imports.delete(gone);
	kept.loadedBy = kept.loadedBy.union(gone.loadedBy);
	kept.knownTo = kept.knownTo.intersection(gone.knownTo).union(kept.loadedBy);
	return changed;
}

function redirect(group, gone, kept) {
	if (group.imports.delete(gone) && group !== kept) group.imports.add(kept);
}
