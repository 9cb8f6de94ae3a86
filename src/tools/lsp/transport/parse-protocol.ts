import { asCount, asText, defined, isObject, type JsonObject, parseWith } from "@deputize/ground";
import type { Diagnostic, Range } from "vscode-languageserver-types";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { toFilePath } from "../workspace/file-uri.ts";

/** Everything a server sends becomes a type here, and only here; what does not fit is dropped, not trusted. */

function isPosition(value: unknown): boolean {
	return isObject(value) && isCount(value["line"]) && isCount(value["character"]);
}

function isCount(value: unknown): boolean {
	return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

export function parseRange(value: unknown): Range | undefined {
	return parseWith<Range>(value, { start: isPosition, end: isPosition });
}

/** A place in a file, or in something a server invented (`path` is then absent and `uri` is shown). */
export interface ProtocolLocation {
	readonly uri: string;
	readonly path?: string;
	readonly range: Range;
}

function parseLocation(value: unknown, toPath = toFilePath): ProtocolLocation | undefined {
	if (!isObject(value)) return undefined;
	const { targetUri } = value;
	const uri = typeof targetUri === "string" ? targetUri : value["uri"];
	// A link's selection is the name; its whole range is the body.
	const range =
		(targetUri === undefined ? undefined : parseRange(value["targetSelectionRange"])) ??
		parseRange(value["range"]);
	if (typeof uri !== "string" || range === undefined) return undefined;
	const path = toPath(uri);
	return path === undefined ? { uri, range } : { uri, range, path };
}

/** `Location`, `Location[]`, `LocationLink[]` or null, in order. */
export function parseLocations(value: unknown): readonly ProtocolLocation[] {
	const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
	const toPath = rememberPaths();
	const locations: ProtocolLocation[] = [];
	for (const entry of list) {
		const location = parseLocation(entry, toPath);
		if (location !== undefined) locations.push(location);
	}
	return locations;
}

/** Hundreds of places share a few addresses. */
function rememberPaths(): typeof toFilePath {
	const known = new Map<string, string | undefined>();
	return (uri) => {
		const path = known.get(uri) ?? toFilePath(uri);
		known.set(uri, path);
		return path;
	};
}

export interface ProtocolSymbol {
	readonly name: string;
	readonly kind: number;
	readonly container: readonly string[];
	readonly location: ProtocolLocation;
}

const MAX_SYMBOL_DEPTH = 50;

/** Nested `DocumentSymbol[]` or flat `SymbolInformation[]`, as one list in reading order. */
export function parseDocumentSymbols(value: unknown, uri: string): readonly ProtocolSymbol[] {
	const found: ProtocolSymbol[] = [];
	const visit = (list: unknown, container: readonly string[]): void => {
		if (!Array.isArray(list) || container.length > MAX_SYMBOL_DEPTH) return;
		for (const entry of list) {
			if (!isObject(entry) || typeof entry["name"] !== "string") continue;
			const symbol = "location" in entry ? parseFlatSymbol(entry) : parseNestedSymbol(entry, container, uri);
			if (symbol !== undefined) found.push(symbol);
			visit(entry["children"], [...container, entry["name"]]);
		}
	};
	visit(value, []);
	return found;
}

function parseNestedSymbol(
	entry: JsonObject,
	container: readonly string[],
	uri: string,
): ProtocolSymbol | undefined {
	const range = parseRange(entry["selectionRange"]) ?? parseRange(entry["range"]);
	if (range === undefined) return undefined;
	return { ...parseName(entry), container, location: { uri, range, ...defined({ path: toFilePath(uri) }) } };
}

function parseFlatSymbol(entry: JsonObject): ProtocolSymbol | undefined {
	const location = parseLocation(entry["location"]);
	if (location === undefined) return undefined;
	const container = asText(entry["containerName"]);
	return { ...parseName(entry), container: container === "" ? [] : [container], location };
}

function parseName({ name, kind }: JsonObject): Pick<ProtocolSymbol, "name" | "kind"> {
	return { name: String(name), kind: asCount(kind) };
}

export function parseWorkspaceSymbols(value: unknown): readonly ProtocolSymbol[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((entry) => {
		if (!isObject(entry) || typeof entry["name"] !== "string") return [];
		const symbol = parseFlatSymbol(entry);
		return symbol === undefined ? [] : [symbol];
	});
}

export function parseDiagnostics(value: unknown): readonly Diagnostic[] {
	if (!Array.isArray(value)) return [];
	const kept: Diagnostic[] = [];
	for (const entry of value) {
		if (kept.length >= LSP_LIMITS.maxDiagnosticsPerFile) break;
		if (!isObject(entry)) continue;
		const range = parseRange(entry["range"]);
		const message = isObject(entry["message"]) ? entry["message"]["value"] : entry["message"];
		if (range === undefined || typeof message !== "string") continue;
		kept.push({ ...(entry as object), range, message });
	}
	return kept;
}
