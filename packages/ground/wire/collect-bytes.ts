interface CollectedBytes {
	readonly bytes: Buffer;
	/** There was more than the limit; `bytes` is the part before it. */
	readonly isCut: boolean;
}

/** Everything a stream sends, up to a limit, which may depend on what comes first. */
export async function collectBytes(
	stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	limit: number | ((first: Uint8Array) => number),
): Promise<CollectedBytes> {
	const chunks: Uint8Array[] = [];
	let rest: number | undefined;
	// Leaving the loop early ends the stream, and with it a connection.
	for await (const chunk of stream) {
		rest ??= typeof limit === "number" ? limit : limit(chunk);
		chunks.push(chunk.subarray(0, rest));
		if (chunk.byteLength > rest) return { bytes: Buffer.concat(chunks), isCut: true };
		rest -= chunk.byteLength;
	}
	return { bytes: Buffer.concat(chunks), isCut: false };
}
