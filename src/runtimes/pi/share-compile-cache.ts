import * as nodeModule from "node:module";
import { dirname } from "node:path";
import type { Environment } from "../../contract/environment.ts";

const VARIABLE = "NODE_COMPILE_CACHE";

/**
 * pi keeps its compiled code in the system's temporary directory, and a confined child has one of its own: it would
 * compile all of pi again, a third of its boot. It gets the cache that this process itself loads pi from; in a sandbox it
 * can read that and not change it. What the user set stays.
 */
export function shareCompileCache(
	env: Environment,
	cacheDirectory: string | undefined = findOwnCache(),
): Environment {
	if (cacheDirectory === undefined || env[VARIABLE] !== undefined || env["NODE_DISABLE_COMPILE_CACHE"])
		return env;
	// Node adds a directory for its version to what the variable names.
	return { ...env, [VARIABLE]: dirname(cacheDirectory) };
}

/** Node 20 has no compile cache, and no such function. */
function findOwnCache(): string | undefined {
	const { getCompileCacheDir }: Partial<typeof nodeModule> = nodeModule;
	return getCompileCacheDir?.();
}
