import type { Key } from "../places/assignments/read-key.ts";
import type { Separator } from "../places/assignments/read-separator.ts";
import type { ValueSpan } from "../places/assignments/read-value.ts";

/** A name and what may be its value. */
export interface Place {
	readonly text: string;
	readonly key: Key;
	readonly separator: Separator;
	/** What is before the name on its line. */
	readonly line: string;
	readonly value: ValueSpan;
	/** The value itself. */
	readonly content: string;
}
