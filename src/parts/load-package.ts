import { createRequire } from "node:module";
import { join } from "node:path";
import type { LocatedPart } from "./locate-part.ts";

/** The exports of a package of a part. Throws what the package throws. */
export function loadPackage<Module>({ modules }: Pick<LocatedPart, "modules">, name: string): Module {
	return createRequire(join(modules, "..", "package.json"))(name) as Module;
}
