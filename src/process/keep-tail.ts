/** Remembers the end of a stream in a fixed amount of memory, at a cost that does not depend on the chunk size. */
export function createTailKeeper(maxBytes: number) {
	// Twice the size, so that the bytes are moved to the front only once per `maxBytes` written.
	let buffer = Buffer.alloc(0);
	let usedBytes = 0;
	let totalBytes = 0;

	function append(tail: Uint8Array): void {
		if (buffer.length === 0) buffer = Buffer.allocUnsafe(maxBytes * 2);
		if (usedBytes + tail.byteLength > buffer.length) {
			const keptBytes = Math.min(usedBytes, maxBytes - tail.byteLength);
			buffer.copy(buffer, 0, usedBytes - keptBytes, usedBytes);
			usedBytes = keptBytes;
		}
		buffer.set(tail, usedBytes);
		usedBytes += tail.byteLength;
	}

	return {
		get totalBytes() {
			return totalBytes;
		},
		push(chunk: Uint8Array): void {
			totalBytes += chunk.byteLength;
			append(chunk.byteLength > maxBytes ? chunk.subarray(chunk.byteLength - maxBytes) : chunk);
		},
		/** The last bytes as text. A character cut in half by the limit is dropped; bad bytes become U+FFFD. */
		text(): string {
			const kept = buffer.subarray(Math.max(0, usedBytes - maxBytes), usedBytes);
			return kept.toString("utf8", totalBytes > maxBytes ? firstWholeCharacter(kept) : 0);
		},
	};
}

function firstWholeCharacter(bytes: Buffer): number {
	let at = 0;
	while (at < 4 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
	return at;
}
