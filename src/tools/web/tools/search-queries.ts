import type { SearchProviderName } from "../../../contract/search-providers.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import type { WebSession } from "../open-web-session.ts";
import type { SearchHit } from "../search/search-provider.ts";
import { WebError, type WebFailure } from "../web-error.ts";

interface FailedAttempt extends WebFailure {
	readonly provider: SearchProviderName;
}

export interface AnsweredQuery {
	readonly query: string;
	readonly provider: SearchProviderName;
	readonly hits: readonly SearchHit[];
	/** Services that were asked before and failed. */
	readonly attempts: readonly FailedAttempt[];
	/** Of the local index: how much was searched. */
	readonly note?: string;
	readonly error?: WebFailure;
}

/** A service that failed like this will fail for the next query too. */
const LASTING_FAILURES = new Set([
	"PROVIDER_AUTH_FAILED",
	"PROVIDER_RATE_LIMITED",
	"PRIVATE_NETWORK_BLOCKED",
]);

const NOBODY_ASKED: FailedAttempt = {
	provider: "local",
	code: "WEB_SEARCH_FAILED",
	message: "No search provider is configured.",
};

/** Answers queries side by side, each by the first provider of the plan that manages to. */
export async function searchQueries(
	queries: readonly string[],
	count: number,
	session: WebSession,
	context: ToolContext,
): Promise<AnsweredQuery[]> {
	const skipped = new Map<SearchProviderName, FailedAttempt>();
	return await session.mapLimited(queries, async (query) => {
		const answer = await answerQuery(query, count, session, context, skipped);
		context.onProgress?.(
			`"${query.slice(0, 60)}": ${answer.error ? answer.error.code : `${answer.hits.length} results`}`,
		);
		return answer;
	});
}

async function answerQuery(
	query: string,
	count: number,
	session: WebSession,
	context: ToolContext,
	skipped: Map<SearchProviderName, FailedAttempt>,
): Promise<AnsweredQuery> {
	const attempts: FailedAttempt[] = [];
	for (const provider of session.providers) {
		const known = skipped.get(provider);
		if (known) {
			attempts.push(known);
			continue;
		}
		try {
			const found = await session.askProvider(provider, query, count, context);
			return { query, provider, attempts, ...found };
		} catch (error) {
			if (!(error instanceof WebError) || error.code === "ABORTED") throw error;
			const attempt = { provider, code: error.code, message: error.message };
			attempts.push(attempt);
			if (LASTING_FAILURES.has(error.code)) skipped.set(provider, attempt);
		}
	}
	const { provider, ...error } = attempts.at(-1) ?? NOBODY_ASKED;
	return { query, provider, hits: [], attempts, error };
}
