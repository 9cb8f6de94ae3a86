import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { listExtensions } from "./list-extensions.ts";
import type { PiLibrary } from "./pi-library.ts";
import { readExtensionSource } from "./read-extension-source.ts";

/** The extension files a child must load to know a model, written as `provider/id` or as an id alone. */
type FindModelExtensions = (model: string) => readonly string[];

type ModelContext = Pick<ExtensionContext, "cwd" | "isProjectTrusted" | "modelRegistry">;

/**
 * Models of providers that pi knows by itself need none. pi does not say which extension registered a
 * provider, so the sources are searched for it. A child without its model cannot work at all, and an extension
 * too many costs it only time: what cannot be ruled out is loaded.
 */
export async function createModelExtensions(
	library: PiLibrary,
	context: ModelContext,
): Promise<FindModelExtensions> {
	const registered = context.modelRegistry.getRegisteredProviderIds();
	const ofOthers = registered.some((provider) => provider !== BUILT_IN_PROVIDER);
	const candidates = ofOthers ? await listExtensions(library, context) : [];
	return (model) => {
		const provider = findProvider(model, registered, context);
		if (provider === undefined) return [];
		if (provider === BUILT_IN_PROVIDER) return loadBuiltIn(library.VERSION);
		return chooseExtensions(provider, candidates);
	};
}

const BUILT_IN_PROVIDER = "llama.cpp";

/** pi brings this one as an extension. From 1.0 on a child that loads no extensions is without it. */
function loadBuiltIn(piVersion: string): readonly string[] {
	return Number.parseInt(piVersion, 10) >= 1 ? [`builtin:${BUILT_IN_PROVIDER}`] : [];
}

function findProvider(
	model: string,
	registered: readonly string[],
	{ modelRegistry }: ModelContext,
): string | undefined {
	const named = registered
		.filter((provider) => model.startsWith(`${provider}/`))
		.sort((left, right) => right.length - left.length)[0];
	if (named !== undefined) return named;
	return modelRegistry.getAll().find(({ id, provider }) => id === model && registered.includes(provider))
		?.provider;
}

/**
 * Those that register a provider and have its name in quotes; else all that may register one, because a name
 * can be put together or come from elsewhere; else all.
 */
export function chooseExtensions(provider: string, candidates: readonly string[]): readonly string[] {
	const sources = candidates.map((file) => ({ file, source: readExtensionSource(file) }));
	const registering = sources.filter(
		({ source }) => !source.isComplete || source.text.includes("registerProvider"),
	);
	const quoted = ['"', "'", "`"].map((quote) => `${quote}${provider}${quote}`);
	const naming = registering.filter(({ source }) => quoted.some((name) => source.text.includes(name)));
	const chosen = [naming, registering, sources].find((some) => some.length > 0) ?? [];
	return chosen.map(({ file }) => file);
}
