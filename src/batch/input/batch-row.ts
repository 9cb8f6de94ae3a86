import type { Environment } from "@deputize/ground";

/** One row of the input: named values to fill a template with. */
export interface BatchRow {
	/** Where it came from, for messages: `line 3 of in.jsonl`. */
	readonly place: string;
	readonly id?: string;
	readonly fields: Readonly<Record<string, unknown>>;
	/** Hash of the file that a globbed row is about. */
	readonly fingerprint?: string;
}

export const INPUT_FORMATS = ["jsonl", "csv", "lines"] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export interface ReadRowsOptions {
	readonly cwd: string;
	readonly env: Environment;
	readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
	/** Tells somebody at a terminal what is waited for. */
	readonly say: (line: string) => void;
	readonly format?: InputFormat | undefined;
}
