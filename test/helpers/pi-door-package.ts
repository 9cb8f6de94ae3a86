import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = new URL("../..", import.meta.url).pathname;
/** pi brings these itself; a package that has its own copies beside it behaves differently and starts slowly. */
const PEERS = ["@earendil-works", "typebox"];

/** The compiled package as `pi install` leaves it: its dependencies beside it, and nothing of pi. */
export function stagePackage(): { readonly directory: string; readonly extension: string } {
	const directory = mkdtempSync(join(tmpdir(), "deputize-staged-"));
	process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
	for (const name of ["dist", "agents", "package.json"]) {
		cpSync(join(ROOT, name), join(directory, name), {
			recursive: true,
			filter: (file) => !file.endsWith(".d.ts"),
		});
	}
	const modules = join(directory, "node_modules");
	mkdirSync(modules);
	for (const name of readdirSync(join(ROOT, "node_modules"))) {
		if (!PEERS.includes(name) && !name.startsWith("."))
			symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
	}
	return { directory, extension: join(directory, "dist/hosts/pi/extension.js") };
}
