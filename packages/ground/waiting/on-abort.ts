/** Calls back once the signal is aborted, immediately if it already is. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, react: () => void): () => void {
	if (signal?.aborted) react();
	else signal?.addEventListener("abort", react, { once: true });
	return () => signal?.removeEventListener("abort", react);
}
