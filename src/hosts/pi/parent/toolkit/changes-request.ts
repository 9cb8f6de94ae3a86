export const CHANGES_VERBS = ["show", "apply", "undo", "drop"] as const;

export interface ChangesRequest {
	readonly name: "changes";
	/** Absent to list them, or to open one. */
	readonly verb?: (typeof CHANGES_VERBS)[number];
	readonly id?: string;
	/** Only these of it are applied. */
	readonly files?: readonly string[];
}
