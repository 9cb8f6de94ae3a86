import { extname } from "node:path";

/** What is known about a document apart from its bytes. Names and types are claims of the sender, used only as hints. */
export interface DocumentHint {
	readonly fileName?: string;
	readonly contentType?: string;
	/** Where it is on the web. Such a page is read for its article; other HTML was chosen by somebody who wants all of it. */
	readonly pageUrl?: string;
	/** Of a page, give the text only, for this reason. */
	readonly plainBecause?: string;
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
