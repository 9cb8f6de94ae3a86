import { asObject, isObject } from "@deputize/ground";
import type { Diagnostic, Range } from "vscode-languageserver-types";
import { LspError } from "../lsp-error.ts";
import { awaitOwnCheck, readDiagnostics } from "../questions/read-diagnostics.ts";
import { cutPage } from "../rendering/render-places.ts";
import { explainUnsupported } from "../rendering/say-unusual.ts";
import type { PooledServer } from "../servers/server-slot.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import { type EditPlan, planWorkspaceEdit } from "../workspace/plan-workspace-edit.ts";
import { toProtocolPosition } from "../workspace/text-positions.ts";
import { type ActionAnswer, type ActionContext, needFile, withFile } from "./action-context.ts";
import { finishEdit } from "./rename-symbol.ts";

interface OfferedAction {
	readonly title: string;
	readonly kind: string;
	readonly raw: Readonly<Record<string, unknown>>;
}

type Found =
	| ActionAnswer
	| { readonly offered: readonly OfferedAction[] }
	| { readonly plan: EditPlan; readonly chosen: OfferedAction };

/** Lists what the server offers at a place; with `title`, the edit of that one. */
export async function offerCodeActions(context: ActionContext): Promise<ActionAnswer> {
	const path = needFile(context);
	const { line, title } = context.request;
	if (line === undefined) throw new LspError("INVALID_INPUT", "codeAction needs file and line.");
	const found = await withFile(context, path, async (pooled, document): Promise<Found> => {
		if (!pooled.server.supports("textDocument/codeAction"))
			return explainUnsupported(pooled.server.id, "codeAction");
		const offered = await askActions(context, pooled, document, toRange(context, document, line));
		if (title === undefined) return { offered };
		const chosen = chooseAction(offered, title);
		return {
			plan: await planWorkspaceEdit(await resolveEdit(context, pooled, chosen), context.workspace),
			chosen,
		};
	});
	if ("text" in found) return found;
	if ("plan" in found)
		return finishEdit(context, checkPlan(found.plan, found.chosen), `codeAction "${found.chosen.title}"`);
	return renderOffer(context, path, line, found.offered);
}

function toRange(context: ActionContext, document: OpenDocument, line: number): Range {
	const { column, endLine, endColumn } = context.request;
	const start = toProtocolPosition({ line, column: column ?? 1 }, document.lines);
	// A line alone means all of it: fixes belong to the problems on it.
	const lastColumn =
		endColumn ?? (column === undefined || endLine !== undefined ? Number.MAX_SAFE_INTEGER : column);
	return { start, end: toProtocolPosition({ line: endLine ?? line, column: lastColumn }, document.lines) };
}

async function askActions(
	context: ActionContext,
	pooled: PooledServer,
	document: OpenDocument,
	range: Range,
): Promise<readonly OfferedAction[]> {
	const { server } = pooled;
	const known = (await readDiagnostics(pooled, document, context.deadline)) ?? [];
	const diagnostics = known.filter((diagnostic) => touchesLines(diagnostic, range));
	if (diagnostics.length > 0) await awaitOwnCheck(server, document, context.deadline);
	const params = { textDocument: { uri: document.uri }, range, context: { diagnostics, triggerKind: 1 } };
	const answer = await server.request("textDocument/codeAction", params, context.deadline);
	if (!Array.isArray(answer)) return [];
	return answer.filter(isObject).flatMap((raw) => {
		if (typeof raw["title"] !== "string" || isObject(raw["disabled"])) return [];
		return [{ title: raw["title"], kind: typeof raw["kind"] === "string" ? raw["kind"] : "command", raw }];
	});
}

function touchesLines({ range }: Diagnostic, wanted: Range): boolean {
	return range.start.line <= wanted.end.line && range.end.line >= wanted.start.line;
}

function chooseAction(offered: readonly OfferedAction[], title: string): OfferedAction {
	const exact = offered.filter((action) => action.title === title);
	const like = offered.filter((action) => action.title.toLowerCase().includes(title.toLowerCase()));
	const [chosen, second] = exact.length > 0 ? exact : like;
	if (chosen !== undefined && (second === undefined || exact.length > 0)) return chosen;
	const titles = offered.map((action) => `"${action.title}"`).join(", ") || "none";
	throw new LspError(
		"INVALID_INPUT",
		`title "${title}" names no single code action here. Offered: ${titles}.`,
	);
}

async function resolveEdit(
	context: ActionContext,
	{ server }: PooledServer,
	chosen: OfferedAction,
): Promise<unknown> {
	if (chosen.raw["edit"] !== undefined) return chosen.raw["edit"];
	if (asObject(server.capabilities["codeActionProvider"])["resolveProvider"] !== true) return undefined;
	return asObject(await server.request("codeAction/resolve", chosen.raw, context.deadline))["edit"];
}

function checkPlan(plan: EditPlan, chosen: OfferedAction): EditPlan {
	if (plan.files.length > 0 || chosen.raw["command"] === undefined) return plan;
	return {
		...plan,
		obstacles: [...plan.obstacles, "it is a command of the server, not an edit, and commands are not run"],
	};
}

function renderOffer(
	context: ActionContext,
	path: string,
	line: number,
	offered: readonly OfferedAction[],
): ActionAnswer {
	const { shown, total, nextOffset } = cutPage(offered, context.request);
	const where = `${toShownPath(context.workspace, path)}:${line}`;
	const lines = shown.map(({ title, kind }) => `  [${kind}] ${title}`);
	const hint = total === 0 ? [] : ["Ask again with title to see the edit of one as a diff."];
	const more = nextOffset === undefined ? [] : [`Next page: offset=${nextOffset}`];
	return {
		text: [`codeAction at ${where}: ${total} offered`, ...lines, ...more, ...hint].join("\n"),
		details: { action: "codeAction", total, actions: shown.map(({ title, kind }) => ({ title, kind })) },
	};
}
