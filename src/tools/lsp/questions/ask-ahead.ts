import { resolve } from "node:path";
import { locateOnLine } from "../actions/locate-on-line.ts";
import type { Deadline } from "../create-deadline.ts";
import type { LspRequest } from "../parse-lsp-request.ts";
import type { LanguageServer } from "../servers/start-language-server.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { buildReferencesParams, toPlaceParams } from "./ask-server.ts";
import { listDiagnosticQuestions } from "./read-diagnostics.ts";

interface Question {
	readonly method: string;
	readonly params: unknown;
}

/** What was asked ahead of a call. */
export interface Guess {
	readonly bindTo: (call: Deadline) => void;
	readonly end: () => void;
}

const NO_GUESS: Guess = { bindTo: () => undefined, end: () => undefined };

/**
 * Sends the question of a call at once to a warm server that has the file open, while the call still looks whether
 * anything changed on disk. A guess that turns out wrong costs one cancelled request and is never used: the call asks
 * what it finds right, and takes this answer only for the very same question to a server that was told nothing new.
 */
export function askAhead(servers: readonly LanguageServer[], request: LspRequest, cwd: string): Guess {
	if (request.file === undefined) return NO_GUESS;
	const path = resolve(cwd, request.file);
	const [server, other] = servers.filter(({ documents }) => documents.get(path) !== undefined);
	const document = server?.documents.get(path);
	if (server === undefined || document === undefined || other !== undefined) return NO_GUESS;
	if (server.progress.openCount() > 0) return NO_GUESS;
	const questions = planQuestions(server, request, document).map(({ method, params }) =>
		server.askAhead(method, params),
	);
	return {
		bindTo: (call) => {
			for (const question of questions) question.call = call;
		},
		end: () => {
			for (const question of questions) server.forgetAhead(question);
		},
	};
}

function planQuestions(
	server: LanguageServer,
	request: LspRequest,
	document: OpenDocument,
): readonly Question[] {
	if (request.action === "diagnostics") return listDiagnosticQuestions(server, document);
	const { line } = request;
	if (line === undefined || line > document.lines.length) return [];
	const ask = (method: string, scope: string, build: typeof toPlaceParams): readonly Question[] => {
		if (!server.settled.has(scope) || !server.supports(method)) return [];
		const { position } = locateOnLine(request, line, document.lines);
		return [{ method, params: build({ document, position }) }];
	};
	if (request.action === "definition") return ask("textDocument/definition", "symbol", toPlaceParams);
	if (request.action === "hover") return ask("textDocument/hover", "symbol", toPlaceParams);
	if (request.action === "references") {
		return ask("textDocument/references", "workspace", buildReferencesParams);
	}
	return [];
}
