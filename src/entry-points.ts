import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface EntryPoint {
	/** Below `src/`. In the compiled package it is `dist/<name>.js`. */
	readonly source: string;
	/** Rooms that start or load it by path. None: npm or pi does, because package.json names it or what it names (`index.ts`) loads it. */
	readonly usedBy: readonly string[];
	/**
	 * Compiled to one file without shared chunks, either because pi's loader transforms every file it sees, or
	 * because the process may read no other file.
	 */
	readonly isAlone?: true;
	/** Somebody waits for its start, or even for its first answer: then it is compiled to few files, or as few as possible. */
	readonly start?: "awaited" | "quick";
}

/**
 * Everything that is started or loaded by path: such an edge is no import, so this table is what the bundler, the
 * architecture check and knip know of it.
 */
export const ENTRY_POINTS = {
	index: { source: "index.ts", usedBy: [] },
	cli: { source: "hosts/cli/main.ts", usedBy: ["commands"], start: "quick" },
	mcp: { source: "hosts/mcp/serve-stdio.ts", usedBy: ["hosts/cli"], start: "quick" },
	"tool-server": { source: "hosts/mcp/serve-tools.ts", usedBy: ["runtimes"], start: "awaited" },
	"pi-parent": { source: "hosts/pi/parent/open-parent.ts", usedBy: [], start: "awaited" },
	"pi-child-extension": {
		source: "hosts/pi/child-extension.ts",
		usedBy: ["runtimes/pi"],
		isAlone: true,
	},
	"pi-waiting-child-extension": {
		source: "hosts/pi/waiting-child-extension.ts",
		usedBy: ["runtimes/pi"],
		isAlone: true,
	},
	"pi-child": {
		source: "hosts/pi/child/set-up-child.ts",
		usedBy: ["hosts/pi"],
		start: "awaited",
	},
	loop: {
		source: "loop/main.ts",
		usedBy: ["runtimes/loop"],
		start: "awaited",
	},
	converter: { source: "tools/convert/converter-main.ts", usedBy: ["tools/convert", "tools/web"] },
	"local-search-worker": {
		source: "tools/web/local/local-search-worker.ts",
		usedBy: ["tools/web"],
	},
	"embed-worker": {
		source: "navigator/semantic/embed-worker.ts",
		usedBy: ["navigator"],
	},
} as const satisfies Readonly<Record<string, EntryPoint>>;

export type EntryPointName = keyof typeof ENTRY_POINTS;

/** `src/` in our own tests. Everywhere else `dist/`, which is flat: whichever chunk this code is in, it is there. */
const HERE = dirname(fileURLToPath(import.meta.url));
const IS_SOURCE = import.meta.url.endsWith(".ts");

export function locateEntryPoint(name: EntryPointName): string {
	return join(HERE, IS_SOURCE ? ENTRY_POINTS[name].source : `${name}.js`);
}

/** What is missing when a bundler has taken this code to another place without the files beside it. */
export function explainBundledPackage(): string | undefined {
	const file = locateEntryPoint("loop");
	if (existsSync(file)) return undefined;
	return `A file of deputize is missing: ${file}. If your program is bundled, leave deputize out of the bundle and install it beside it (esbuild: --external:deputize or --packages=external).`;
}

/** `agents/`, `package.json`: what is shipped as it is. */
export function locatePackageFile(name: string): string {
	return join(HERE, "..", name);
}
