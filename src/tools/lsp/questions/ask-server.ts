import type { Position } from "vscode-languageserver-types";
import { isObject } from "../../../json/json-values.ts";
import type { ActionContext } from "../actions/action-context.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import {
	type ProtocolSymbol,
	parseDocumentSymbols,
	parseLocations,
	parseWorkspaceSymbols,
} from "../transport/parse-protocol.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { type AnswerScope, type SettledAnswer, settleAnswer } from "./settle-answer.ts";

type Timing = Pick<ActionContext, "deadline" | "coldTimeoutMs">;

export interface AskedPlace {
	readonly document: OpenDocument;
	readonly position: Position;
}

export function askDefinition(server: LanguageServer, place: AskedPlace, timing: Timing) {
	const params = toPlaceParams(place);
	return askSettled(server, timing, {
		method: "textDocument/definition",
		scope: "symbol",
		params,
		parse: parseLocations,
	});
}

export function askReferences(server: LanguageServer, place: AskedPlace, timing: Timing) {
	const params = { ...toPlaceParams(place), context: { includeDeclaration: true } };
	return askSettled(server, timing, {
		method: "textDocument/references",
		scope: "workspace",
		params,
		parse: parseLocations,
	});
}

/** The shape of the answer is read by the caller. */
export function askHover(server: LanguageServer, place: AskedPlace, timing: Timing) {
	return askRaw(server, timing, "textDocument/hover", "symbol", toPlaceParams(place));
}

export function askSignature(server: LanguageServer, place: AskedPlace, timing: Timing) {
	const params = { ...toPlaceParams(place), context: { triggerKind: 1, isRetrigger: false } };
	return askRaw(server, timing, "textDocument/signatureHelp", "symbol", params);
}

export function askRename(server: LanguageServer, place: AskedPlace, newName: string, timing: Timing) {
	const params = { ...toPlaceParams(place), newName };
	return askRaw(server, timing, "textDocument/rename", "workspace", params);
}

export async function askDocumentSymbols(
	server: LanguageServer,
	{ uri, text }: OpenDocument,
	timing: Timing,
): Promise<readonly ProtocolSymbol[]> {
	if (!server.supports("textDocument/documentSymbol")) return [];
	const { answer } = await askSettled(server, timing, {
		method: "textDocument/documentSymbol",
		scope: "file",
		params: { textDocument: { uri } },
		parse: (raw) => parseDocumentSymbols(raw, uri),
		isEmpty: (symbols) => symbols.length === 0 && text.trim() !== "",
	});
	return answer;
}

export function askWorkspaceSymbols(server: LanguageServer, query: string, timing: Timing) {
	return askSettled(server, timing, {
		method: "workspace/symbol",
		scope: "workspace",
		params: { query },
		parse: parseWorkspaceSymbols,
	});
}

function toPlaceParams({ document, position }: AskedPlace) {
	return { textDocument: { uri: document.uri }, position };
}

interface Asking<Answer> {
	readonly method: string;
	readonly scope: AnswerScope;
	readonly params: object;
	readonly parse: (raw: unknown) => Answer;
	readonly isEmpty?: (answer: Answer) => boolean;
}

function askSettled<Answer>(
	server: LanguageServer,
	{ deadline, coldTimeoutMs }: Timing,
	{ method, scope, params, parse, isEmpty = isNothing }: Asking<Answer>,
): Promise<SettledAnswer<Answer>> {
	return settleAnswer<Answer>({
		server,
		scope,
		deadline,
		coldTimeoutMs,
		ask: async () => parse(await server.request(method, params, deadline)),
		isEmpty,
	});
}

function askRaw(
	server: LanguageServer,
	timing: Timing,
	method: string,
	scope: AnswerScope,
	params: object,
): Promise<SettledAnswer<unknown>> {
	return askSettled(server, timing, { method, scope, params, parse: (raw) => raw });
}

function isNothing(answer: unknown): boolean {
	const list = isObject(answer) ? answer["signatures"] : answer;
	return answer === null || answer === undefined || (Array.isArray(list) && list.length === 0);
}
