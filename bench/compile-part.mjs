import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleCode } from "../scripts/bundle-code.mjs";
import { root } from "../scripts/install-dependencies.mjs";

/**
 * A file of src/ compiled as it would be in the package, with the entry points it starts beside it. Returns its address.
 * The files are removed when this process ends.
 */
export async function compilePart(source) {
	const cache = join(root, "node_modules", ".cache", "deputize");
	mkdirSync(cache, { recursive: true });
	const directory = mkdtempSync(join(cache, "part-"));
	process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
	await bundleCode(directory, { part: { source } });
	return pathToFileURL(join(directory, "part.js")).href;
}
