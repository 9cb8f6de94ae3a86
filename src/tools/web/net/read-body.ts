export interface BodyHead {
	readonly url: string;
	readonly contentType: string;
	/** The first bytes of the decoded body, for telling types apart by content. */
	readonly firstBytes: Uint8Array;
}

export interface ReadBody {
	readonly bytes: Uint8Array;
	/** The body was longer than the limit; `bytes` contains the part before it. */
	readonly truncated: boolean;
}

/**
 * Collects a body up to a limit of decoded bytes. Counting what comes out of the decompressor is what stops a
 * decompression bomb: limits on the wire count compressed bytes.
 */
export async function readBody(
	body: AsyncIterable<Uint8Array> | null,
	chooseLimit: (firstBytes: Uint8Array) => number,
): Promise<ReadBody> {
	if (body === null) return { bytes: new Uint8Array(0), truncated: false };
	const chunks: Uint8Array[] = [];
	let total = 0;
	let limit: number | undefined;
	// Leaving the loop early cancels the stream, which closes the connection.
	for await (const chunk of body) {
		limit ??= chooseLimit(chunk);
		const rest = limit - total;
		if (chunk.byteLength > rest) {
			chunks.push(chunk.subarray(0, rest));
			return { bytes: Buffer.concat(chunks), truncated: true };
		}
		chunks.push(chunk);
		total += chunk.byteLength;
	}
	return { bytes: Buffer.concat(chunks), truncated: false };
}
