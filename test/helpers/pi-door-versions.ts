import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** One of the versions of pi the tests run with, as parent and as child. */
export interface PiVersion {
	readonly version: string;
	/** The bundled program. */
	readonly script: string;
	readonly isInstalled: boolean;
}

function describeVersion(modules: string, version: string): PiVersion {
	const directory = join(ROOT, modules, "@earendil-works/pi-coding-agent");
	const script = join(directory, "dist/bundle/cli.js");
	const isInstalled = existsSync(script);
	return { version, script: isInstalled ? realpathSync(script) : script, isInstalled };
}

/** The newest that installs whole. */
export const OLDER_PI = describeVersion("node_modules", "0.87.1");

const { bundled } = JSON.parse(readFileSync(join(ROOT, "test/peers/pi-1x/package.json"), "utf8")) as {
	bundled: { version: string };
};
/** The 1.x line; placed by `npm test`. */
export const NEWER_PI = describeVersion("test/peers/pi-1x/node_modules", bundled.version);

export const PI_VERSIONS: readonly PiVersion[] = [OLDER_PI, NEWER_PI];

/** A version that is not there is left out on a developer's machine, and a failure in CI. */
export function isLeftOut(pi: PiVersion): boolean {
	return !pi.isInstalled && process.env["CI"] !== "true";
}

export function demandInstalled(pi: PiVersion): void {
	if (pi.isInstalled) return;
	throw new Error(
		`pi ${pi.version} is not installed: run npm test, which fetches it, and see what it says about the registry.`,
	);
}
