/** What an extension in a child wants to know from a person before a call is made. All of it is somebody else's text. */
export interface ChildQuestion {
	readonly id: string;
	readonly kind: "confirm" | "select" | "input";
	readonly title: string;
	readonly message?: string;
	/** Of `select`. */
	readonly options?: readonly string[];
	/** The call it is about. */
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** True or false for `confirm`, text for the others; undefined: nobody answered, which means no. */
export type ChildAnswer = boolean | string | undefined;

/** Entries of a child's session by which it tells its parent of these. */
export const QUESTION_ENTRY = "deputize-question";
export const REFUSED_ENTRY = "deputize-refused";
