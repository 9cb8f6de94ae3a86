export const CHANGES_VERBS = ["show", "apply", "undo", "drop"] as const;

export interface ChangesRequest {
	readonly name: "changes";
	/** Absent to list them. */
	readonly verb?: (typeof CHANGES_VERBS)[number];
	readonly id?: string;
}
