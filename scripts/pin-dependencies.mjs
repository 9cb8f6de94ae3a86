// Before the package is packed: every package that the lock places beside ours becomes an exact dependency of the packed
// manifest, so that users get the versions that were tested. npm-shrinkwrap.json would be the usual way, but of a package
// that has one npm installs the binaries of all platforms (139 MB instead of 77). Afterwards (`--restore`) package.json is
// as it was.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./install-dependencies.mjs";

const NAME = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * A package that the lock has in several versions is pinned to the one beside ours; the others are the business of those
 * who ask for them. Binaries for one platform are pinned by the package that chooses among them.
 */
export function toPinnedManifest(manifest, lock) {
	const versions = new Map();
	// Deepest first, so that the one beside ours is written last.
	for (const [path, entry] of Object.entries(lock.packages).sort(byDepth)) {
		const name = NAME.exec(path)?.[1];
		if (name !== undefined && !entry.dev && !entry.os && !entry.cpu) versions.set(name, entry);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const file = join(root, "package.json");
	const kept = join(root, "node_modules", ".cache", "deputize", "package.json.unpinned");
	// Also when an earlier packing was interrupted: what is pinned twice would stay pinned.
	if (existsSync(kept)) renameSync(kept, file);
	if (!process.argv.includes("--restore")) {
		mkdirSync(dirname(kept), { recursive: true });
		copyFileSync(file, kept);
		const [manifest, lock] = [file, join(root, "package-lock.json")].map((path) =>
			JSON.parse(readFileSync(path, "utf8")),
		);
		writeFileSync(file, `${JSON.stringify(toPinnedManifest(manifest, lock), undefined, "\t")}\n`);
	}
}
