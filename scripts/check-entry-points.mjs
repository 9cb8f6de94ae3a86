// Paths that are no imports: what starts or loads another file by its address has to go through src/entry-points.ts.

/** Addresses that are put together at run time and lead out of this package, with the reason. */
const FOREIGN_IMPORTS = new Map([
	["hosts/pi/child/show-image.ts", "loads the library of the running pi, which is beside its program"],
]);

const USE = /\blocateEntryPoint\("([^"]+)"\)/g;
const OWN_ADDRESS = /\bimport\.meta\.(?:url|dirname|filename)\b/g;
/** `createRequire` resolves packages, or loads a located entry point: both are visible. */
const VISIBLE_ADDRESS = /\bcreateRequire\(import\.meta\.url\)/g;
const COMPUTED_IMPORT = /(?<!typeof )\bimport\((?!\s*["'])/;
const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm;

const count = (text, pattern) => text.match(pattern)?.length ?? 0;

/**
 * `points` is the table, `sources` maps each path below src/ to its text, `manifest` is package.json, `extension` the
 * text of the file that pi loads. Returns one sentence for each thing that is wrong.
 */
export function checkEntryPoints({ points, sources, manifest, extension = "" }) {
	return [
		...checkTable(points, sources, JSON.stringify([manifest.bin, manifest.exports, manifest.pi]) + extension),
		...[...sources].flatMap(([path, text]) => checkSource(path, text, points)),
	];
}

function checkTable(points, sources, named) {
	return Object.entries(points).flatMap(([name, { source, usedBy, isAlone }]) => [
		...(sources.has(source) ? [] : [`entry point ${name}: there is no src/${source}`]),
		...(usedBy.length > 0 || [`"./dist/${name}.js"`, `"dist/${name}.js"`].some((path) => named.includes(path))
			? []
			: [`entry point ${name}: no room uses it and neither package.json nor index.ts names dist/${name}.js`]),
		...usedBy
			.filter((room) => ![...sources].some(([path, text]) => isIn(path, room) && uses(text, name)))
			.map((room) => `entry point ${name}: nothing in src/${room} uses it`),
		...(isAlone ? checkAlone(name, sources.get(source) ?? "") : []),
	]);
}

const isIn = (path, room) => path.startsWith(`${room}/`);
const uses = (text, name) => text.includes(`locateEntryPoint("${name}")`);

/** What it imports would be copied into it, past pi's loader or the limits of its process. */
function checkAlone(name, text) {
	return [...text.matchAll(STATIC_IMPORT)]
		.filter(([, path]) => !path.endsWith("/entry-points.ts"))
		.map(([, path]) => `entry point ${name} must stand alone and imports ${path}`);
}

function checkSource(path, text, points) {
	const strangers = [...text.matchAll(USE)]
		.map(([, name]) => name)
		.filter((name) => !points[name]?.usedBy.some((room) => isIn(path, room)))
		.map((name) => `src/${path} uses the entry point ${name}; name its room in src/entry-points.ts`);
	if (path === "entry-points.ts") return [];
	return [
		...strangers,
		...(count(text, OWN_ADDRESS) === count(text, VISIBLE_ADDRESS)
			? []
			: [`src/${path} makes a path from its own address; use locateEntryPoint or locatePackageFile`]),
		...(COMPUTED_IMPORT.test(text) && !FOREIGN_IMPORTS.has(path)
			? [`src/${path} imports an address put together at run time`]
			: []),
	];
}
