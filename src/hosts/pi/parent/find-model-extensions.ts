import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { readSurroundings } from "../../../config/read-surroundings.ts";
import type { PiLibrary } from "./pi-library.ts";

const MAX_SEARCHED_FILES = 200;
const MAX_SEARCHED_FILE_BYTES = 1024 * 1024;
const SOURCE = /\.[cm]?[jt]s$/;

/**
 * The extension files a child must load to know the parent's model. Empty when pi knows the provider by
 * itself. pi does not say which extension registered a provider, so those that mention it in their source
 * are taken, and all of them when none does: a child without its model cannot work at all.
 */
export async function findModelExtensions(
	provider: string,
	library: PiLibrary,
	context: ExtensionContext,
): Promise<readonly string[]> {
	if (!context.modelRegistry.getRegisteredProviderIds().includes(provider)) return [];
	const candidates = (await listExtensions(library, context)).filter((file) => !isOwnExtension(file));
	const registering = candidates.filter(mentionsProvider);
	return registering.length > 0 ? registering : candidates;
}

async function listExtensions(library: PiLibrary, context: ExtensionContext): Promise<readonly string[]> {
	const { cwd } = context;
	const named = listNamedExtensions(process.argv).map((path) => resolve(cwd, path));
	if (process.argv.some((argument) => argument === "-ne" || argument === "--no-extensions")) return named;
	const agentDir = readSurroundings().agentDirectory;
	const settingsManager = library.SettingsManager.create(cwd, agentDir, {
		projectTrusted: context.isProjectTrusted(),
	});
	const packages = new library.DefaultPackageManager({ cwd, agentDir, settingsManager });
	const { extensions } = await packages.resolve(async () => "skip");
	const configured = extensions.filter(({ enabled }) => enabled).map(({ path }) => path);
	return [...new Set([...named, ...configured])];
}

/** What `-e` on pi's own command line named. */
export function listNamedExtensions(argv: readonly string[]): readonly string[] {
	return argv.flatMap((argument, index) => {
		const value = argv[index + 1];
		return (argument === "-e" || argument === "--extension") && value !== undefined ? [value] : [];
	});
}

function isOwnExtension(file: string): boolean {
	const own = join(import.meta.dirname, "..", `extension${extname(import.meta.filename)}`);
	try {
		return realpathSync(file) === realpathSync(own);
	} catch {
		return false;
	}
}

/** An extension may be one file or the entry of a folder; the call can be in any file beside it. */
function mentionsProvider(file: string): boolean {
	return listSources(file).some((source) => {
		try {
			return (
				statSync(source).size <= MAX_SEARCHED_FILE_BYTES &&
				readFileSync(source, "utf8").includes("registerProvider")
			);
		} catch {
			return false;
		}
	});
}

function listSources(file: string): readonly string[] {
	try {
		if (statSync(file).isDirectory()) return listFolder(file);
		return /^index\./.test(file.slice(dirname(file).length + 1)) ? listFolder(dirname(file)) : [file];
	} catch {
		return [file];
	}
}

function listFolder(directory: string): readonly string[] {
	return readdirSync(directory, { recursive: true, encoding: "utf8" })
		.filter((name) => SOURCE.test(name) && !name.includes("node_modules"))
		.slice(0, MAX_SEARCHED_FILES)
		.map((name) => join(directory, name));
}
