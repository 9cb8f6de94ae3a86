import { lstatSync } from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "@deputize/ground";

const VARIABLE = "NODE_COMPILE_CACHE";

/**
 * pi keeps its compiled code in the system's temporary directory, and a confined child has one of its own: it would
 * compile all of pi again, a third of its boot. It gets the cache that this process loads its code from, or the one pi uses
 * here; in a sandbox it can read that and not change it. What the user set stays.
 */
export function shareCompileCache(
	env: Environment,
	cache: string | undefined = findOwnCache() ?? findCacheOfPi(tmpdir()),
): Environment {
	if (cache === undefined || env[VARIABLE] !== undefined || env["NODE_DISABLE_COMPILE_CACHE"]) return env;
	return { ...env, [VARIABLE]: cache };
}

/** Node 20 has no compile cache, and no such function. */
function findOwnCache(): string | undefined {
	const { getCompileCacheDir }: Partial<typeof nodeModule> = nodeModule;
	const directory = getCompileCacheDir?.();
	// Node adds a directory for its version to what the variable names.
	return directory === undefined ? undefined : dirname(directory);
}

const WRITABLE_BY_OTHERS = 0o022;

/** Where Node puts it by default. Others can make it first in a shared directory, and what is in it is run: only one's own. */
export function findCacheOfPi(temporaryDirectory: string): string | undefined {
	const cache = join(temporaryDirectory, "node-compile-cache");
	const status = lstatSync(cache, { throwIfNoEntry: false });
	const isOwn =
		status?.isDirectory() && status.uid === userInfo().uid && (status.mode & WRITABLE_BY_OTHERS) === 0;
	return isOwn ? cache : undefined;
}
