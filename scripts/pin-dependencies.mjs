// Before the package is packed: every package that the lock places beside ours becomes an exact dependency of the packed
// manifest, so that users get the versions that were tested. npm-shrinkwrap.json would be the usual way, but of a package
// that has one npm installs the binaries of all platforms.

const NAME = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * A package that the lock has in several versions is pinned to the one beside ours; the others are the business of those
 * who ask for them. Binaries for one platform are pinned by the package that chooses among them. Workspaces are bundled, not published.
 */
export function toPinnedManifest({ workspaces: _, ...manifest }, lock) {
	const versions = new Map();
	// Deepest first, so that the one beside ours is written last.
	for (const [path, entry] of Object.entries(lock.packages).sort(byDepth)) {
		const name = NAME.exec(path)?.[1];
		if (name !== undefined && !entry.dev && !entry.link && !entry.os && !entry.cpu) versions.set(name, entry);
	}
	const pin = (isWanted) =>
		Object.fromEntries(
			[...versions]
				.filter(([, entry]) => isWanted(entry))
				.map(([name, { version }]) => [name, version])
				.sort(([one], [other]) => (one < other ? -1 : 1)),
		);
	return {
		...manifest,
		dependencies: { ...pin(({ optional }) => !optional), ...manifest.dependencies },
		optionalDependencies: { ...pin(({ optional }) => optional), ...manifest.optionalDependencies },
	};
}

const countDirectories = (path) => path.split("node_modules/").length;
const byDepth = ([one], [other]) => countDirectories(other) - countDirectories(one);
