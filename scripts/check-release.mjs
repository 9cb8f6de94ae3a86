// What has to be true of the repository and of the package before a version is published. Each check returns sentences for the person
// who releases; none means ready.

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
/** What may be in the package, by the beginning of its path. */
const SHIPPED = ["dist/", "data/", "agents/", "docs/reference/", "plugins/", "README.md", "CHANGELOG.md"];
const ALSO_SHIPPED = ["index.ts", "SECURITY.md", "LICENSE", "package.json"];
const NEEDED = [
	"index.ts",
	"dist/cli.js",
	"dist/index.js",
	"dist/types/src/index.d.ts",
	"dist/pi-parent.js",
	"LICENSE",
];
const MAX_PACKED_BYTES = 12 * 1024 * 1024;
const MAX_FILES = 400;

/** `status` is the output of `git status --porcelain`, `tags` the list of tags. */
export function checkRelease({ version, manifest, changelog, status, tags }) {
	if (!VERSION.test(version))
		return [`${JSON.stringify(version)} is not a version. Try: npm run release -- 1.2.3, or 1.2.3-beta.1`];
	return [
		...(manifest.version === version
			? []
			: [
					`package.json says ${manifest.version}: npm version --no-git-tag-version ${version}, then npm run generate:plugins.`,
				]),
		...checkChangelog(changelog, version),
		...(status.trim() === "" ? [] : [`The tree is not clean:\n${status.trimEnd()}`]),
		...(tags.includes(`v${version}`) ? [`The tag v${version} exists already.`] : []),
		...checkManifest(manifest),
	];
}

/** Newest first, and nothing may wait in "Unreleased" that this version contains. */
function checkChangelog(changelog, version) {
	const sections = changelog.split(/^## /m).slice(1);
	const [first] = sections.filter((section) => !section.startsWith("Unreleased"));
	const waiting = sections.find((section) => section.startsWith("Unreleased"));
	return [
		...(first?.split("\n")[0].split(" ")[0] === version
			? []
			: [`The first version in CHANGELOG.md is not ${version}: rename "Unreleased" to "${version} (date)".`]),
		...(first === undefined || /^- /m.test(first)
			? []
			: [`The section ${version} of CHANGELOG.md says nothing.`]),
		...(waiting !== undefined && /^- /m.test(waiting) ? ['"Unreleased" in CHANGELOG.md is not empty.'] : []),
	];
}

/** npm attests where a package comes from only when it knows the repository. Nothing of it may run at install time. */
function checkManifest({ repository, scripts = {} }) {
	const atInstall = ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts);
	return [
		...(repository?.url ? [] : ["package.json has no repository: npm cannot attest the provenance."]),
		...atInstall.map((name) => `package.json runs ${name} on the machine of whoever installs it.`),
	];
}

/** `packed` is an entry of `npm pack --json`. */
export function checkPackage({ files, size }) {
	const paths = files.map(({ path }) => path);
	const isShipped = (path) =>
		ALSO_SHIPPED.includes(path) ||
		SHIPPED.some((start) => (start.endsWith("/") ? path.startsWith(start) : path === start));
	return [
		...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is not in the package.`),
		...paths.filter((path) => !isShipped(path)).map((path) => `${path} does not belong in the package.`),
		...paths.filter((path) => path.endsWith(".map")).map((path) => `${path} is a source map.`),
		...(size > MAX_PACKED_BYTES ? [`The package has ${size} bytes, more than ${MAX_PACKED_BYTES}.`] : []),
		...(paths.length > MAX_FILES ? [`The package has ${paths.length} files, more than ${MAX_FILES}.`] : []),
	];
}
