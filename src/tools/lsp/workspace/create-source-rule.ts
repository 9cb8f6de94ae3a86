import { join } from "node:path";
import { type Environment, isInside } from "@deputize/ground";
import type { Judge } from "../../../judge/create-judge.ts";

/** Whether lines of a file may be shown, by its real path. The judge decides about the file itself when it is opened. */
type SourceRule = (workspace: string, path: string) => boolean;

const SYSTEM_ROOTS = ["/usr", "/opt", "/lib", "/nix/store", "/Library/Developer", "/Applications/Xcode.app"];
const TOOLCHAIN_VARIABLES = [
	"CARGO_HOME",
	"CONDA_PREFIX",
	"FLUTTER_ROOT",
	"GEM_HOME",
	"GOMODCACHE",
	"GOPATH",
	"GOROOT",
	"JAVA_HOME",
	"RUSTUP_HOME",
	"SDKROOT",
	"VIRTUAL_ENV",
];
const PACKAGE_DIRECTORY = /\/(?:node_modules|site-packages|dist-packages)\//;

/**
 * Answers lead wherever a program of the project points, also to files that are not sources at all: an import of a
 * JSON file with keys in it, for example. So lines are shown from the workspace and from places where libraries are.
 */
export function createSourceRule(judge: Judge, env: Environment): SourceRule {
	let roots: readonly string[] | undefined;
	return (workspace, path) => {
		if (isInside(workspace, path) || PACKAGE_DIRECTORY.test(path)) return true;
		roots ??= listLibraryRoots(judge, env);
		return roots.some((root) => isInside(root, path));
	};
}

/** Directories of toolchains that the system, the environment or the judge's list of caches name. */
export function listLibraryRoots(judge: Judge, env: Environment): readonly string[] {
	return [...SYSTEM_ROOTS, ...listToolchains(env), join(judge.home, "go", "pkg"), ...judge.exceptions()];
}

function listToolchains(env: Environment): readonly string[] {
	return TOOLCHAIN_VARIABLES.flatMap((name) => {
		const directory = env[name];
		return directory?.startsWith("/") === true && directory !== env["HOME"] ? [directory] : [];
	});
}
