import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a `node_modules` contains all of these packages. */
export function isCompletePart(modules: string, packages: readonly string[]): boolean {
	return packages.every((name) => existsSync(join(modules, name, "package.json")));
}
