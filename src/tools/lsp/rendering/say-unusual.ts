import type { ActionAnswer, ActionContext } from "../actions/action-context.ts";
import { type FoundSymbol, toSymbolPlace } from "../actions/find-symbols.ts";
import { buildPage, renderPlacePage, sortWithinFiles } from "./render-places.ts";

export function describeIncomplete(context: Pick<ActionContext, "coldTimeoutMs">): string {
	const seconds = Math.round(context.coldTimeoutMs / 1000);
	return `Incomplete: the server was still loading or changing its answer after ${seconds} s. Ask again for the rest.`;
}

/** Not a failure: the answer to "can this server do that" is no. */
export function explainUnsupported(serverId: string, action: string): ActionAnswer {
	return {
		text: `The ${serverId} language server does not offer ${action}. Use text search instead.`,
		details: { action, supported: false, server: serverId },
	};
}

/** Several symbols share the name: they are listed so that the next call can name one. */
export function renderAmbiguity(
	context: ActionContext,
	name: string,
	symbols: readonly FoundSymbol[],
): ActionAnswer {
	const { workspace, sources, request } = context;
	const page = buildPage(sortWithinFiles(symbols.map(toSymbolPlace)), {
		workspace,
		sources,
		offset: 0,
		limit: request.limit,
		contextLines: 0,
	});
	const text = `${renderPlacePage(`ambiguous ${name}`, page)}\nAsk again with file, line and column of one of these, or with Container.${name}.`;
	return {
		text,
		details: { action: request.action, name, ambiguous: true, total: page.total, places: page.shown },
	};
}
