import { defined } from "@deputize/ground";
import type { Position } from "vscode-languageserver-types";
import { LspError } from "../lsp-error.ts";
import { type AskedPlace, askDefinition, askDocumentSymbols } from "../questions/ask-server.ts";
import { explainUnsupported, renderAmbiguity } from "../rendering/say-unusual.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { findWholeWords, toProtocolPosition } from "../workspace/text-positions.ts";
import { type ActionAnswer, type ActionContext, needFile, withFile } from "./action-context.ts";
import {
	type FoundSymbol,
	findSymbolsInWorkspace,
	keepFirstOfEach,
	type SameNamed,
	toFoundSymbol,
} from "./find-symbols.ts";
import { matchesQuery, parseSymbolQuery, type SymbolQuery } from "./parse-symbol-query.ts";
import { snapToName } from "./snap-to-name.ts";

export interface Target {
	readonly path: string;
	readonly position: Position;
	/** What the caller meant, for the heading of the answer. */
	readonly name: string;
	/** False when it was searched for while a server was still loading. */
	readonly isComplete: boolean;
	/** The place declares the symbol, rather than using it. */
	readonly isDeclaration?: boolean;
	/** Shown when the place is not exactly the one given. */
	readonly note?: string;
}

export interface LocatedTarget extends AskedPlace {
	readonly target: Target;
}

const MAX_COMPARED_SYMBOLS = 24;

/**
 * Finds out what the call means and asks the server that knows that file. Several symbols of one name are an answer by
 * themselves, and so is that the server offers none of the methods.
 */
export async function withTarget<Value>(
	context: ActionContext,
	methods: readonly string[],
	work: (located: LocatedTarget) => Promise<Value>,
	answerMany: (context: ActionContext, found: SameNamed) => ActionAnswer = renderAmbiguity,
): Promise<Value | ActionAnswer> {
	const target = await locateTarget(context);
	if ("symbols" in target) return answerMany(context, target);
	return withFile<Value | ActionAnswer>(context, target.path, async ({ server }, document) => {
		if (!methods.some(server.supports)) return explainUnsupported(server.id, context.request.action);
		return work({ server, document, position: target.position, target });
	});
}

/** From whatever the caller gave (position, name in a file, name alone) to a place a server can be asked about. */
async function locateTarget(context: ActionContext): Promise<Target | SameNamed> {
	const { file, line, query, action } = context.request;
	if (file === undefined) {
		if (query === undefined) {
			throw new LspError(
				"INVALID_INPUT",
				`${action} needs file with line and column, or query with a symbol name.`,
			);
		}
		return locateInWorkspace(context, parseSymbolQuery(query));
	}
	const path = needFile(context);
	if (line !== undefined) return locateOnLine(context, path, line);
	if (query === undefined) {
		throw new LspError("INVALID_INPUT", `${action} needs line and column, or query with a symbol name.`);
	}
	return locateInFile(context, path, parseSymbolQuery(query));
}

/** The name meant by a line with a column or a name in it. */
function locateOnLine(context: ActionContext, path: string, line: number): Target {
	const { column, query } = context.request;
	const lines = context.sources.linesOf(path) ?? [];
	const text = lines[line - 1];
	if (text === undefined) {
		const shown = toShownPath(context.workspace, path);
		throw new LspError("INVALID_INPUT", `${shown} has ${lines.length} lines; there is no line ${line}.`);
	}
	const toTargetAt = (character: number, name: string) => ({
		path,
		position: { line: line - 1, character },
		name,
		isComplete: true,
	});
	if (query !== undefined) {
		const asked = parseSymbolQuery(query);
		const word = findWholeWords([text], asked.name)[(asked.ordinal ?? 1) - 1];
		if (word !== undefined) return toTargetAt(word.character, asked.name);
	}
	const { character } = toProtocolPosition({ line, column: column ?? 1 }, lines);
	const snapped = snapToName(text, character);
	if (snapped === undefined) return toTargetAt(character, `line ${line}`);
	const isMissed = column !== undefined && !snapped.isThere;
	const note = isMissed ? `Column ${column} is not on a name; "${snapped.name}" was used.` : undefined;
	return { ...toTargetAt(snapped.character, snapped.name), ...defined({ note }) };
}

/** The choice asks servers again, so it is made after the file was let go. */
async function locateInFile(
	context: ActionContext,
	path: string,
	query: SymbolQuery,
): Promise<Target | SameNamed> {
	const found = await withFile(context, path, ({ server }, document) =>
		lookInFile(context, server, document, query),
	);
	return "symbols" in found ? chooseSymbol(context, found.symbols, query, true) : found;
}

async function lookInFile(
	context: ActionContext,
	server: LanguageServer,
	document: OpenDocument,
	query: SymbolQuery,
): Promise<Pick<SameNamed, "symbols"> | Target> {
	const symbols = await askDocumentSymbols(server, document, context);
	const matching = symbols
		.filter((symbol) => matchesQuery(query, symbol.name, symbol.container))
		.map((symbol) => toFoundSymbol(symbol, document.lines));
	if (matching.length > 0) return { symbols: matching };
	// Not declared here: it is imported or used, and any use leads to the symbol.
	const words = findWholeWords(document.lines, query.name);
	const code = words.filter(({ line }) => !isComment(document.lines[line] ?? ""));
	const word = (code.length > 0 ? code : words)[(query.ordinal ?? 1) - 1];
	if (word === undefined) {
		const shown = toShownPath(context.workspace, document.path);
		throw new LspError(
			"INVALID_INPUT",
			`"${query.name}" does not occur in ${shown}. Leave file away to search the workspace, or use symbols to list what is there.`,
		);
	}
	return { path: document.path, position: word, name: query.name, isComplete: true };
}

function isComment(line: string): boolean {
	return /^\s*(\/\/|\/\*|\*|#(?!\s*(?:define|include|if|undef|pragma))|--|;)/.test(line);
}

async function locateInWorkspace(context: ActionContext, query: SymbolQuery): Promise<Target | SameNamed> {
	const search = await findSymbolsInWorkspace(context, query, true);
	if (search.symbols.length > 0) return chooseSymbol(context, search.symbols, query, search.isComplete);
	const mention = search.mentions[0];
	if (mention === undefined) {
		throw new LspError(
			"INVALID_INPUT",
			`No source file in the workspace contains "${query.name}". Check the spelling; names are case-sensitive.`,
		);
	}
	return locateInFile(context, mention, query);
}

async function chooseSymbol(
	context: ActionContext,
	symbols: readonly FoundSymbol[],
	query: SymbolQuery,
	isComplete: boolean,
): Promise<Target | SameNamed> {
	if (query.ordinal !== undefined) {
		const chosen = symbols[query.ordinal - 1];
		if (chosen === undefined) {
			throw new LspError(
				"INVALID_INPUT",
				`There are ${symbols.length} symbols named "${query.name}", not ${query.ordinal}.`,
			);
		}
		return toTarget(chosen, isComplete);
	}
	const apart = await mergeSameSymbols(context, dropRepeatedDeclarations(symbols));
	const [only] = apart;
	if (only !== undefined && apart.length === 1) return toTarget(only, isComplete);
	return { name: query.name, symbols: apart, isComplete };
}

function toTarget({ path, position, name }: FoundSymbol, isComplete: boolean): Target {
	return { path, position, name, isComplete, isDeclaration: true };
}

/** Overloads, and variables assigned several times, are in the same container of the same file. */
function dropRepeatedDeclarations(symbols: readonly FoundSymbol[]): readonly FoundSymbol[] {
	return keepFirstOfEach(symbols, ({ path, container, name }) => [path, ...container, name].join("\0"));
}

interface SymbolGroup {
	readonly symbol: FoundSymbol;
	readonly places: ReadonlySet<string>;
	/** The server leads from the symbol to itself: it is declared here, not imported. */
	readonly isHome: boolean;
}

/** A declaration in a header and its definition, or an import and its origin, are one symbol. */
async function mergeSameSymbols(
	context: ActionContext,
	symbols: readonly FoundSymbol[],
): Promise<readonly FoundSymbol[]> {
	if (symbols.length < 2) return symbols;
	const groups: SymbolGroup[] = [];
	for (const symbol of symbols.slice(0, MAX_COMPARED_SYMBOLS)) {
		const group = await describePlaces(context, symbol);
		// From a definition clangd leads to the declaration, and from there back: they share places either way.
		const same = groups.findIndex((other) => [...group.places].some((place) => other.places.has(place)));
		const known = groups[same];
		if (known === undefined) groups.push(group);
		else groups[same] = joinGroups(known, group);
	}
	return groups.map(({ symbol }) => symbol);
}

function joinGroups(known: SymbolGroup, added: SymbolGroup): SymbolGroup {
	const best = known.isHome || !added.isHome ? known : added;
	return { ...best, places: new Set([...known.places, ...added.places]) };
}

async function describePlaces(context: ActionContext, symbol: FoundSymbol): Promise<SymbolGroup> {
	const own = `${symbol.path}:${symbol.position.line}`;
	return withFile(context, symbol.path, async ({ server }, document) => {
		if (!server.supports("textDocument/definition")) return { symbol, places: new Set([own]), isHome: true };
		const { answer } = await askDefinition({ server, document, position: symbol.position }, context);
		const led = answer.map(({ path, uri, range }) => `${path ?? uri}:${range.start.line}`);
		return { symbol, places: new Set([own, ...led]), isHome: led.includes(own) };
	});
}
