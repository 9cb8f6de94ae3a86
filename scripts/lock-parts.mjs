// What optional parts are made of, from our own lock file: `deputize setup` gives it to npm, which installs exactly these
// versions and refuses a file with another checksum.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** `rows` is PART_ROWS, `lock` our package-lock.json, `measure` says how many bytes a path of the lock takes here. */
export function lockParts(rows, lock, measure = () => 0) {
	return Object.fromEntries(
		Object.entries(rows).map(([part, { packages: roots, pinned = {} }]) => {
			const packages = {
				...collectEntries(
					roots.filter((name) => !(name in pinned)),
					lock.packages,
				),
				...listPinned(pinned),
			};
			const bytes = Object.keys(packages).reduce(
				(sum, path) => sum + (pinned[path.replace(/^node_modules\//, "")]?.bytes ?? measure(path)),
				0,
			);
			const fingerprint = createHash("sha256").update(JSON.stringify(packages)).digest("hex").slice(0, 16);
			return [part, { fingerprint, bytes, packages }];
		}),
	);
}

/** Without what they would need to run: only their files are used. */
function listPinned(pinned) {
	return Object.fromEntries(
		Object.entries(pinned).map(([name, { version, integrity }]) => [
			`node_modules/${name}`,
			{ version, integrity },
		]),
	);
}

/** Entries of the roots and of everything they need, by path. What is needed only optionally stays optional. */
function collectEntries(roots, all) {
	const required = new Set();
	const optional = new Set();
	const visit = (path, isOptional) => {
		if (required.has(path) || (isOptional && optional.has(path))) return;
		(isOptional ? optional : required).add(path);
		const entry = all[path];
		for (const name of Object.keys(entry.dependencies ?? {})) follow(path, name, isOptional);
		for (const name of Object.keys(entry.optionalDependencies ?? {})) follow(path, name, true);
		for (const name of Object.keys(entry.peerDependencies ?? {}))
			if (!entry.peerDependenciesMeta?.[name]?.optional) follow(path, name, isOptional);
	};
	const follow = (from, name, isOptional) => {
		const path = resolvePath(from, name, all);
		if (path !== undefined) visit(path, isOptional);
		else if (!isOptional) throw new Error(`package-lock.json has no ${name} for ${from || "a part"}`);
	};
	for (const name of roots) follow("", name, false);
	return Object.fromEntries(
		[...new Set([...required, ...optional])]
			.sort()
			.map((path) => [path, toEntry(path, all, !required.has(path))]),
	);
}

/** As Node looks for a package: in the nearest `node_modules`, then outwards. */
function resolvePath(from, name, all) {
	for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
		const path = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
		if (path in all) return path;
		if (base === "") return undefined;
	}
}

/**
 * Without the address it came from: a user may have another registry. The checksum must be there. An optional package that
 * the lock does not have, because no registry had it, is not asked for: npm would refuse the lock as incomplete.
 */
function toEntry(path, all, isOptional) {
	const entry = all[path];
	const { version, integrity, dependencies, peerDependencies, peerDependenciesMeta } = entry;
	const optionalDependencies =
		entry.optionalDependencies &&
		Object.fromEntries(
			Object.entries(entry.optionalDependencies).filter(
				([name]) => resolvePath(path, name, all) !== undefined,
			),
		);
	if (!integrity) throw new Error(`package-lock.json has no checksum for ${path}`);
	const { os, cpu, libc, engines } = entry;
	return {
		version,
		integrity,
		...(isOptional && { optional: true }),
		...Object.fromEntries(
			Object.entries({
				os,
				cpu,
				libc,
				engines,
				dependencies,
				optionalDependencies,
				peerDependencies,
				peerDependenciesMeta,
			}).filter(([, value]) => value !== undefined),
		),
	};
}

/** Bytes of the files of one package, without those nested in it. 0 when it is not installed, as for another platform. */
export function measurePackage(directory) {
	if (!existsSync(directory)) return 0;
	return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
		if (entry.name === "node_modules") return sum;
		const path = join(directory, entry.name);
		return sum + (entry.isDirectory() ? measurePackage(path) : statSync(path).size);
	}, 0);
}
