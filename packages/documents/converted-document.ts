import { extname } from "node:path";
/** What is known about a document apart from its bytes. Both are claims of the sender, used only as hints. */
export interface DocumentHint {
	readonly fileName?: string;
	readonly contentType?: string;
}

/** A document as it was found. */
export interface LoadedDocument {
	readonly bytes: Uint8Array;
	readonly hint: DocumentHint;
	/** Under which what it becomes is kept. */
	readonly key: string;
}

export type DocumentMetadata = Readonly<Record<string, string | number | boolean>>;

/** What a reader makes of a document. */
export interface ConvertedDocument {
	readonly markdown: string;
	readonly title?: string;
	/** Pages, sheets, slides, author and the like; only what the format knows. */
	readonly metadata: DocumentMetadata;
}

/** A document as it leaves the converter: bounded. */
export interface Conversion extends ConvertedDocument {
	/** The document is longer than what is converted. */
	readonly truncated: boolean;
}

/** Lower case, without the dot; empty when there is none. */
export function extensionOf({ fileName = "" }: DocumentHint): string {
	return extname(fileName).slice(1).toLowerCase();
}

/** A content type without its parameters, in lower case; empty when there is none. */
export function mediaTypeOf(contentType = ""): string {
	return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}
