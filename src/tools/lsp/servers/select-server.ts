import { existsSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { defined, isInside, isObject, listAncestors } from "@deputize/ground";
import type { LspConfig, LspServerConfig } from "../../../contract/config.ts";
import { LspError } from "../lsp-error.ts";
import { SERVER_TABLE, type ServerDefinition } from "./server-table.ts";

/** The built-in table with the user's additions and overrides; the user's rows are asked first. */
export function listServerDefinitions(config: LspConfig): readonly ServerDefinition[] {
	const configured = Object.entries(config.servers).flatMap(([id, server]) =>
		server === false ? [] : [toDefinition(id, server)],
	);
	const builtin = SERVER_TABLE.filter((row) => !(row.id in config.servers));
	return [...configured, ...builtin];
}

function toDefinition(id: string, server: LspServerConfig): ServerDefinition {
	const builtin = SERVER_TABLE.find((row) => row.id === id);
	const [executable, ...args] = server.command;
	const languages =
		server.extensions.length === 0 && builtin !== undefined
			? builtin.languages
			: toLanguages(server, builtin);
	return {
		id,
		languages,
		rootMarkers: server.rootMarkers.length > 0 ? server.rootMarkers : (builtin?.rootMarkers ?? [".git"]),
		candidates: executable === undefined ? [] : [{ executable, args }],
		installHint: `install ${executable ?? id}, or correct lsp.servers.${id}.command in the configuration`,
		untrusted: builtin?.untrusted ?? "run",
		source: "config",
		...defined({
			isPerPackage: builtin?.isPerPackage,
			preparation: builtin?.preparation,
			alsoWatches: builtin?.alsoWatches,
			initializationOptions: server.initializationOptions ?? builtin?.initializationOptions,
			settings: isObject(server.settings) ? server.settings : builtin?.settings,
		}),
	};
}

/** Extensions take the language with the same index, or the last one when there are fewer languages. */
function toLanguages(server: LspServerConfig, builtin: ServerDefinition | undefined): Record<string, string> {
	const entries = server.extensions.map((extension, index) => {
		const key = extension.startsWith(".") || extension.includes(".") ? extension : `.${extension}`;
		const language = server.languages[index] ?? server.languages.at(-1) ?? builtin?.languages[key];
		return [key, language ?? key.slice(1)] as const;
	});
	return Object.fromEntries(entries);
}

export function languageOf(definition: ServerDefinition, file: string): string | undefined {
	return definition.languages[basename(file)] ?? definition.languages[extname(file).toLowerCase()];
}

/** The servers that know this file, in the order in which they are tried. */
export function selectServersForFile(
	definitions: readonly ServerDefinition[],
	file: string,
	wanted: string | undefined,
): readonly ServerDefinition[] {
	if (wanted !== undefined) return [selectServerById(definitions, wanted)];
	const matching = definitions.filter((definition) => languageOf(definition, file) !== undefined);
	if (matching.length > 0) return matching;
	const known = definitions.map((definition) => definition.id).join(", ");
	throw new LspError(
		"LSP_SERVER_NOT_FOUND",
		`No language server is configured for ${basename(file)}. Known servers: ${known}. ` +
			"Add one under lsp.servers in the configuration, or read the file as text.",
	);
}

export function selectServerById(definitions: readonly ServerDefinition[], id: string): ServerDefinition {
	const found = definitions.find((definition) => definition.id === id);
	if (found !== undefined) return found;
	const known = definitions.map((definition) => definition.id).join(", ");
	throw new LspError("INVALID_INPUT", `There is no language server called "${id}". Known servers: ${known}.`);
}

/**
 * The directory a server is started for. Never above the workspace, and the workspace itself when there is no
 * marker at all, so that loose files share one server instead of starting one per directory.
 */
export function selectRoot(
	definition: ServerDefinition,
	workspace: string,
	file: string | undefined,
): string {
	if (file === undefined || !isInside(workspace, file)) return workspace;
	const above = [...listAncestors(dirname(file))];
	const nearestFirst = above.filter((directory) => directory.length >= workspace.length);
	const hasMarker = (directory: string) =>
		definition.rootMarkers.some((marker) => existsSync(`${directory}/${marker}`));
	const chosen = definition.isPerPackage ? nearestFirst.find(hasMarker) : nearestFirst.findLast(hasMarker);
	return chosen ?? workspace;
}
