import { resolve } from "node:path";
import { isSamePath } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import { locatePackageFile } from "../../../entry-points.ts";
import type { PiLibrary } from "./pi-library.ts";

/** The files of all extensions that this pi has loaded, apart from its built-in ones and this package. */
export async function listExtensions(
	library: PiLibrary,
	context: Pick<ExtensionContext, "cwd" | "isProjectTrusted">,
): Promise<readonly string[]> {
	const { cwd } = context;
	const agentDir = readSurroundings().agentDirectory;
	const settingsManager = library.SettingsManager.create(cwd, agentDir, {
		projectTrusted: context.isProjectTrusted(),
	});
	const packages = new library.DefaultPackageManager({ cwd, agentDir, settingsManager });
	const withoutOthers = process.argv.some((argument) => argument === "-ne" || argument === "--no-extensions");
	const named = listNamedExtensions(process.argv).map((source) => toSource(source, cwd));
	const found = await Promise.all([
		packages.resolveExtensionSources([...named], { temporary: true }),
		...(withoutOthers ? [] : [packages.resolve(async () => "skip")]),
	]);
	const files = found.flatMap(({ extensions }) =>
		extensions.filter(({ enabled }) => enabled).map(({ path }) => path),
	);
	return [...new Set(files)].filter((file) => !file.startsWith("builtin:") && !isOurs(file));
}

/** What `-e` on pi's own command line named. */
export function listNamedExtensions(argv: readonly string[]): readonly string[] {
	return argv.flatMap((argument, index) => {
		const value = argv[index + 1];
		return (argument === "-e" || argument === "--extension") && value !== undefined ? [value] : [];
	});
}

/** pi was started in this directory and reads paths from there; packages (`npm:…`, `git:…`) have no path. */
function toSource(named: string, cwd: string): string {
	return /^[a-z][a-z+.-]+:/.test(named) ? named : resolve(cwd, named);
}

/** What package.json names. */
function isOurs(file: string): boolean {
	return isSamePath(file, locatePackageFile("index.ts"));
}
