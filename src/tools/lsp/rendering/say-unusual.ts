import type { ActionAnswer, ActionContext } from "../actions/action-context.ts";
import { type SameNamed, toSymbolPlace } from "../actions/find-symbols.ts";
import { buildPage, renderPlacePage, sortWithinFiles } from "./render-places.ts";

/** Lines below an answer: what was understood differently, and that it is not complete. */
export function listRemarks(
	{ coldTimeoutMs }: Pick<ActionContext, "coldTimeoutMs">,
	isComplete: boolean,
	note?: string,
): readonly string[] {
	const seconds = Math.round(coldTimeoutMs / 1000);
	const incomplete = `Incomplete: the server was still loading or changing its answer after ${seconds} s. Ask again for the rest.`;
	return [...(note === undefined ? [] : [note]), ...(isComplete ? [] : [incomplete])];
}

/** Not a failure: the answer to "can this server do that" is no. */
export function explainUnsupported(serverId: string, action: string): ActionAnswer {
	return {
		text: `The ${serverId} language server does not offer ${action}. Use text search instead.`,
		details: { action, supported: false, server: serverId },
	};
}

/** Several symbols share the name: they are listed so that the next call can name one. */
export function renderAmbiguity(context: ActionContext, { name, symbols }: SameNamed): ActionAnswer {
	const page = buildPage(context, sortWithinFiles(symbols.map(toSymbolPlace)), { offset: 0 });
	const text = `${renderPlacePage(`ambiguous ${name}`, page)}\nAsk again with file, line and column of one of these, or with Container.${name}.`;
	const { action } = context.request;
	return { text, details: { action, name, ambiguous: true, total: page.total, places: page.shown } };
}
