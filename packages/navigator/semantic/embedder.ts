/** Compares texts by meaning with a small model, where the semantic part is installed. */
export interface Embedder {
	/** One vector of length 1 for each text. Rejects when the model cannot be used, with what to say about it. */
	embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
