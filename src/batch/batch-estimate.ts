/** What a batch would do, found out without starting or writing anything. */
export interface BatchEstimate {
	readonly total: number;
	readonly finished: number;
	readonly todo: number;
	readonly agent: { readonly name: string; readonly file: string; readonly model: string | null };
	/** The first task as it would be sent. */
	readonly firstTask: string | null;
	/** About how many tokens the tasks and the agent's own words are, each sent once. */
	readonly taskTokens: number;
	/** Computed from what the finished tasks cost and took; absent until some have finished. */
	readonly costUsd?: number;
	readonly durationMs?: number;
	/** What `taskTokens` cost, where nothing better is known and the price is: files and answers come on top. */
	readonly atLeastUsd?: number;
	readonly advice?: string;
}
