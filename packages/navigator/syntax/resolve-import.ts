import { dirname, join } from "node:path/posix";

/** Whether an import, as a file writes it, means another file of the tree. What cannot be told is no. */
export function resolvesTo(importer: string, written: string, target: string, statement: string): boolean {
	const wanted = stripEnding(target);
	if (/\.rs$/.test(importer)) return resolvesInRust(importer, written, wanted);
	if (/\.pyi?$/.test(importer)) return resolvesInPython(importer, written, wanted, statement);
	if (/\.go$/.test(importer))
		return `/${written}`.endsWith(`/${directoryOf(target)}`) && target.endsWith(".go");
	if (/\.java$/.test(importer)) return endsWithPath(target, `${written.replaceAll(".", "/")}.java`);
	if (/\.php$/.test(importer) && written.includes("\\"))
		return endsWithPath(target, `${written.split("\\").slice(-2).join("/")}.php`);
	const path = stripEnding(written);
	const besides = join(directoryOf(importer), path);
	if (besides === wanted || `${besides}/index` === wanted || join(directoryOf(importer), written) === target)
		return true;
	// Search paths of C, Ruby and shells lead anywhere in the tree; those of scripts lead to packages.
	if (/\.[cm]?[jt]sx?$/.test(importer) || written.startsWith(".")) return false;
	return /\.(?:rb|rake)$/.test(importer)
		? endsWithPath(wanted, path)
		: endsWithPath(target, written.replace(/^.*[}$)]\//, ""));
}

function resolvesInPython(importer: string, written: string, wanted: string, statement: string): boolean {
	const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(written) ?? [];
	let base = directoryOf(importer);
	for (let up = 1; up < dots.length; up += 1) base = directoryOf(base);
	const path = rest.replaceAll(".", "/");
	const module = wanted.replace(/\/__init__$/, "");
	const isModule = (candidate: string): boolean =>
		dots === "" ? endsWithPath(module, candidate) : module === join(base, candidate);
	if (path !== "" && isModule(path)) return true;
	// `from package import module`
	const name = module.split("/").at(-1) ?? "";
	const isListed = new RegExp(`\\bimport\\b[^#]*\\b${name}\\b`).test(statement);
	return isListed && isModule(path === "" ? name : `${path}/${name}`);
}

function resolvesInRust(importer: string, written: string, wanted: string): boolean {
	const module = wanted.replace(/\/mod$/, "");
	const folder = directoryOf(importer);
	// `mod name;` beside the file, or below a directory that is called like it.
	const below = /\/?(?:mod|lib|main)\.rs$/.test(importer) ? folder : stripEnding(importer);
	if (/^\w+$/.test(written)) return module === join(folder, written) || module === join(below, written);
	const segments = module
		.replace(/^(?:.*\/)?src\//, "")
		.split("/")
		.join("::");
	return new RegExp(`^\\w+::(?:.*(?:::|\\{\\s*|,\\s*))?${segments}(?:::|\\b)`, "s").test(written);
}

function endsWithPath(path: string, end: string): boolean {
	return end !== "" && `/${path}`.endsWith(`/${end.replace(/^\/+/, "")}`);
}

function stripEnding(path: string): string {
	return path.replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|pyi?|rs|rb|go|php)$/, "");
}

/** Empty for the root, as paths of a tree are. */
const directoryOf = (path: string): string => (path.includes("/") ? dirname(path) : "");
