/** What a child hands over with `subagent_finalize`. */
export type Finalization =
	| { readonly status: "SUCCESS"; readonly result: string }
	| { readonly status: "ERROR"; readonly error: string; readonly result?: string };

export const FINALIZE_TOOL = "subagent_finalize";
