import { join } from "node:path";
import { findExecutable } from "../../../process/find-executable.ts";
import { MECHANISM } from "../../../sandbox/wrap.ts";
import {
	type FoundProgram,
	findServerProgram,
	isInWorkspace,
	type ProgramSource,
	type SearchPlace,
	toCommand,
	virtualEnvironments,
} from "./find-server-program.ts";
import { findNativeTypescript, findOutsideTsserver } from "./find-typescript.ts";
import type { ServerDefinition } from "./server-table.ts";

export interface ServerLaunch {
	readonly definition: ServerDefinition;
	readonly program: string;
	readonly command: string;
	readonly args: readonly string[];
	readonly source: ProgramSource;
	readonly initializationOptions: unknown;
	readonly settings: Readonly<Record<string, unknown>>;
}

type ServerSearch =
	| { readonly kind: "found"; readonly launch: ServerLaunch }
	| { readonly kind: "missing"; readonly reason: string };

export function findServer(definition: ServerDefinition, place: SearchPlace): ServerSearch {
	const search = searchServer(definition, place);
	// What is not installed is the first thing to say: trust alone would not help.
	const refusal =
		place.trusted || search.kind === "missing" ? undefined : explainUntrusted(definition, place);
	return refusal === undefined ? search : missing(refusal);
}

function searchServer(definition: ServerDefinition, place: SearchPlace): ServerSearch {
	if (definition.source === "config") return findConfigured(definition, place);
	if (definition.preparation === "typescript") return findTypescriptServer(definition, place);
	return findByCandidates(definition, place);
}

function explainUntrusted({ id, untrusted }: ServerDefinition, { isBoxed }: SearchPlace): string | undefined {
	if (untrusted === "refuse")
		return `${id} runs code of the project, and this project is not trusted. Trust the project to use it.`;
	if (untrusted === "run" || isBoxed === true) return undefined;
	return `${id} starts programs on the project's behalf, and this project is not trusted. Install ${MECHANISM.packageName} to run it in a sandbox, or trust the project.`;
}

function findConfigured(definition: ServerDefinition, place: SearchPlace): ServerSearch {
	const candidate = definition.candidates[0];
	const file = candidate && findExecutable(candidate.executable, place.env, place.root);
	if (candidate === undefined || file === undefined) return refuseMissing(definition, place, undefined);
	if (!place.trusted && isInWorkspace(place, file)) return refuseMissing(definition, place, file);
	return found(definition, place, { file, source: "config" }, candidate.args);
}

function findByCandidates(definition: ServerDefinition, place: SearchPlace): ServerSearch {
	let withheld: string | undefined;
	for (const candidate of definition.candidates) {
		const search = findServerProgram(candidate.executable, place);
		if (search.found !== undefined) return found(definition, place, search.found, candidate.args);
		withheld ??= search.withheld;
	}
	return refuseMissing(definition, place, withheld);
}

function findTypescriptServer(definition: ServerDefinition, place: SearchPlace): ServerSearch {
	const native = findNativeTypescript(place);
	if (native !== undefined) return found(definition, place, native, ["--lsp", "--stdio"]);
	const search = findByCandidates(definition, place);
	return search.kind === "missing" ? search : withTsserver(search.launch, place);
}

function withTsserver(launch: ServerLaunch, place: SearchPlace): ServerSearch {
	const outside = findOutsideTsserver(place, launch.program);
	if (!place.trusted && outside === undefined) {
		return missing(
			"typescript-language-server would run the TypeScript inside this project, which is not trusted, " +
				"and no other TypeScript was found. Trust the project, or: npm install --global typescript@5",
		);
	}
	const options = launch.initializationOptions as { readonly tsserver?: object } | undefined;
	const choice = outside === undefined ? {} : place.trusted ? { fallbackPath: outside } : { path: outside };
	const initializationOptions = { ...options, tsserver: { ...options?.tsserver, ...choice } };
	return { kind: "found", launch: { ...launch, initializationOptions } };
}

function found(
	definition: ServerDefinition,
	place: SearchPlace,
	program: FoundProgram,
	args: readonly string[],
): ServerSearch {
	return {
		kind: "found",
		launch: {
			definition,
			program: program.file,
			...toCommand(program.file, args),
			source: program.source,
			initializationOptions: definition.initializationOptions,
			settings: { ...definition.settings, ...pythonSettings(definition, place) },
		},
	};
}

/** The interpreter decides which packages exist; one inside the project is code of the project. */
function pythonSettings(definition: ServerDefinition, place: SearchPlace): Readonly<Record<string, unknown>> {
	if (definition.preparation !== "python" || !place.trusted) return {};
	const interpreter = virtualEnvironments(place)
		.map((directory) => join(directory, "bin", "python"))
		.find((file) => findExecutable(file, place.env, "/") !== undefined);
	return interpreter === undefined ? {} : { python: { pythonPath: interpreter } };
}

function refuseMissing(
	{ id, candidates, installHint }: ServerDefinition,
	{ trusted }: SearchPlace,
	withheld: string | undefined,
): ServerSearch {
	if (withheld !== undefined && !trusted) {
		return missing(
			`${id} exists only inside the project (${withheld}), and this project is not trusted. ` +
				`Trust the project, or install it outside: ${installHint}`,
		);
	}
	const names = candidates.map(({ executable }) => executable).join(" or ");
	return missing(`${names || id} is not installed. Install it with: ${installHint}`);
}

function missing(reason: string): ServerSearch {
	return { kind: "missing", reason };
}
