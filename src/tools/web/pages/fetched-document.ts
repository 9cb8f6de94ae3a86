/** A page as it is stored and shown: text, whatever it was before. */
export interface FetchedDocument {
	/** As it was asked for. */
	readonly url: string;
	/** After redirects. */
	readonly finalUrl: string;
	readonly title: string;
	readonly text: string;
	readonly contentType: string;
	/** The source was cut at a limit of bytes; `text` is its beginning. */
	readonly truncated: boolean;
	readonly warning?: string;
}

export type ConvertDocument = (
	bytes: Uint8Array,
	hint: { fileName?: string; contentType?: string },
	signal: AbortSignal,
) => Promise<
	| { ok: true; markdown: string; title?: string; truncated: boolean }
	| { ok: false; code: string; message: string }
>;
