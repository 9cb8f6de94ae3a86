import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
	asObject,
	asText,
	canonicalPath,
	listAncestors,
	listOwnAncestors,
	readJsonFile,
} from "@deputize/ground";
import { findExecutable } from "../../../process/find-executable.ts";
import {
	type FoundProgram,
	isInWorkspace,
	type SearchPlace,
	withoutWorkspacePath,
} from "./find-server-program.ts";

/** From this version on the compiler is a language server itself, and the old JavaScript server is gone. */
const NATIVE_SERVER_MAJOR = 7;

/** The TypeScript the project uses: the nearest one in `node_modules`, from the root upwards. */
export function findNativeTypescript(place: SearchPlace): FoundProgram | undefined {
	const own = place.trusted ? projectTypescript(place) : undefined;
	if (own !== undefined) return own.isNative ? { file: own.compiler, source: "workspace" } : undefined;
	const global = typescriptOnPath(place);
	return global?.isNative === true ? { file: global.compiler, source: "path" } : undefined;
}

/** A `tsserver.js` from outside the project: what an untrusted project gets instead of its own. */
export function findOutsideTsserver(place: SearchPlace, languageServer: string): string | undefined {
	const besideServer = [...listAncestors(dirname(canonicalPath(languageServer)))].map((directory) =>
		join(directory, "node_modules", "typescript", "lib", "tsserver.js"),
	);
	const global = typescriptOnPath(place);
	const besideCompiler = global === undefined ? [] : [join(global.directory, "lib", "tsserver.js")];
	return [...besideServer, ...besideCompiler].find((file) => existsSync(file) && !isInWorkspace(place, file));
}

interface TypescriptPackage {
	readonly directory: string;
	readonly compiler: string;
	readonly isNative: boolean;
}

function projectTypescript(place: SearchPlace): TypescriptPackage | undefined {
	for (const directory of listOwnAncestors(place.root)) {
		const found = readPackage(join(directory, "node_modules", "typescript"));
		if (found !== undefined) return found;
	}
	return undefined;
}

function typescriptOnPath(place: SearchPlace): TypescriptPackage | undefined {
	const compiler = findExecutable("tsc", place.trusted ? place.env : withoutWorkspacePath(place));
	if (compiler === undefined) return undefined;
	if (!place.trusted && isInWorkspace(place, compiler)) return undefined;
	return readPackage(dirname(dirname(canonicalPath(compiler))));
}

function readPackage(directory: string): TypescriptPackage | undefined {
	const version = asText(asObject(readJsonFile(join(directory, "package.json")))["version"]);
	const compiler = join(directory, "bin", "tsc");
	if (version === "" || !existsSync(compiler)) return undefined;
	return { directory, compiler, isNative: Number.parseInt(version, 10) >= NATIVE_SERVER_MAJOR };
}
