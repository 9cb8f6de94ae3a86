/** A page of a list, with what a model needs to ask for the next one. */
export function pageResults(results: readonly string[], offset: number, limit: number, isPartial: boolean) {
	const page = results.slice(offset, limit === 0 ? undefined : offset + limit);
	return {
		results: page,
		total: results.length,
		offset,
		limit,
		has_more: isPartial || offset + page.length < results.length,
		returned: page.length,
	};
}

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 1000;

export const PAGE_PARAMETERS = {
	limit: {
		type: "integer",
		minimum: 1,
		maximum: MAX_LIMIT,
		description: `Results to return (default ${DEFAULT_LIMIT}).`,
	},
	offset: { type: "integer", minimum: 0, description: "Results to skip, to get the next page." },
} as const;
