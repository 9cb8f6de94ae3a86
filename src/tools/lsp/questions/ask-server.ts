import type { Position } from "vscode-languageserver-types";
import { isObject } from "../../../json/json-values.ts";
import type { ActionContext } from "../actions/action-context.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import {
	type ProtocolLocation,
	type ProtocolSymbol,
	parseDocumentSymbols,
	parseLocations,
	parseWorkspaceSymbols,
} from "../transport/parse-protocol.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { type SettledAnswer, settleAnswer } from "./settle-answer.ts";

type Timing = Pick<ActionContext, "deadline" | "coldTimeoutMs">;

export interface AskedPlace {
	readonly document: OpenDocument;
	readonly position: Position;
}

export function askDefinition(server: LanguageServer, place: AskedPlace, timing: Timing) {
	return askLocations(server, "textDocument/definition", "symbol", toPlaceParams(place), timing);
}

export function askReferences(server: LanguageServer, place: AskedPlace, timing: Timing) {
	const params = { ...toPlaceParams(place), context: { includeDeclaration: true } };
	return askLocations(server, "textDocument/references", "workspace", params, timing);
}

function toPlaceParams({ document, position }: AskedPlace) {
	return { textDocument: { uri: document.uri }, position };
}

function askLocations(
	server: LanguageServer,
	method: string,
	scope: "symbol" | "workspace",
	params: object,
	timing: Timing,
): Promise<SettledAnswer<readonly ProtocolLocation[]>> {
	return settleAnswer<readonly ProtocolLocation[]>({
		server,
		scope,
		...timing,
		ask: async () => parseLocations(await server.request(method, params, timing.deadline)),
		isEmpty: (locations) => locations.length === 0,
		fingerprint: (locations) => locations.map(toKey).sort().join("\n"),
	});
}

function toKey({ uri, path, range }: ProtocolLocation): string {
	return `${path ?? uri}:${range.start.line}:${range.start.character}`;
}

/** A raw answer whose shape is read by the caller: hover, signature help, edits. */
export function askOnce(
	server: LanguageServer,
	method: string,
	scope: "symbol" | "workspace",
	params: unknown,
	timing: Timing,
): Promise<SettledAnswer<unknown>> {
	return settleAnswer<unknown>({
		server,
		scope,
		...timing,
		ask: () => server.request(method, params, timing.deadline),
		isEmpty: isNothing,
		fingerprint: (answer) => JSON.stringify(answer) ?? "",
	});
}

function isNothing(answer: unknown): boolean {
	if (answer === null || answer === undefined) return true;
	return isObject(answer) && Array.isArray(answer["signatures"]) && answer["signatures"].length === 0;
}

export function askHover(server: LanguageServer, place: AskedPlace, timing: Timing) {
	return askOnce(server, "textDocument/hover", "symbol", toPlaceParams(place), timing);
}

export function askSignature(server: LanguageServer, place: AskedPlace, timing: Timing) {
	const params = { ...toPlaceParams(place), context: { triggerKind: 1, isRetrigger: false } };
	return askOnce(server, "textDocument/signatureHelp", "symbol", params, timing);
}

export async function askDocumentSymbols(
	server: LanguageServer,
	document: OpenDocument,
	timing: Timing,
): Promise<readonly ProtocolSymbol[]> {
	if (!server.supports("textDocument/documentSymbol")) return [];
	const { answer } = await settleAnswer<readonly ProtocolSymbol[]>({
		server,
		scope: "file",
		...timing,
		ask: async () => {
			const params = { textDocument: { uri: document.uri } };
			const symbols = await server.request("textDocument/documentSymbol", params, timing.deadline);
			return parseDocumentSymbols(symbols, document.uri);
		},
		isEmpty: (symbols) => symbols.length === 0 && document.text.trim() !== "",
		fingerprint: (symbols) => String(symbols.length),
	});
	return answer;
}

export function askWorkspaceSymbols(
	server: LanguageServer,
	query: string,
	timing: Timing,
): Promise<SettledAnswer<readonly ProtocolSymbol[]>> {
	return settleAnswer<readonly ProtocolSymbol[]>({
		server,
		scope: "workspace",
		...timing,
		ask: async () =>
			parseWorkspaceSymbols(await server.request("workspace/symbol", { query }, timing.deadline)),
		isEmpty: (symbols) => symbols.length === 0,
		fingerprint: (symbols) =>
			symbols
				.map((symbol) => toKey(symbol.location))
				.sort()
				.join("\n"),
	});
}
