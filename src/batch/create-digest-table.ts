import { randomInt } from "node:crypto";
import { fingerprint } from "@deputize/ground";

const DIGEST_BYTES = 16;
const FIRST_ROWS = 1024;
const HEXADECIMAL = /^[0-9a-f]{32}$/;

/** Stands for a text of any length. */
export function digestText(text: string): Buffer {
	return Buffer.from(fingerprint(text, 2 * DIGEST_BYTES), "hex");
}

/** The key of a task is such a digest already. One that is not, in a file of somebody else, gets its own. */
export function digestKey(key: string): Buffer {
	return HEXADECIMAL.test(key) ? Buffer.from(key, "hex") : digestText(key);
}

/**
 * A table of rows by digest, with a fixed number of further bytes in each. A million rows of a `Map` with texts take ten
 * times the memory. Whoever chose the digests cannot make it slow: how they are distributed is drawn anew each time.
 */
export function createDigestTable(bytesPerRow: number) {
	const rowBytes = DIGEST_BYTES + bytesPerRow;
	const factors = [0, 4, 8, 12].map((at) => ({ at, factor: randomInt(2 ** 31) * 2 + 1 }));
	let rows = Buffer.alloc(FIRST_ROWS * rowBytes);
	/** Numbers of rows, counted from 1, at the place of their digest or after it. Half of the places are free. */
	let places = new Int32Array(2 * FIRST_ROWS);
	let size = 0;
	const digestAt = (row: number): Buffer => rows.subarray(row * rowBytes, row * rowBytes + DIGEST_BYTES);
	/** Where the digest is, or where it would be. */
	const findPlace = (digest: Buffer): number => {
		let mixed = 0;
		for (const { at, factor } of factors) mixed = (mixed + Math.imul(digest.readInt32LE(at), factor)) | 0;
		let place = (mixed ^ (mixed >>> 15)) & (places.length - 1);
		for (let row = places[place] ?? 0; row !== 0; row = places[place] ?? 0) {
			if (digestAt(row - 1).equals(digest)) break;
			place = (place + 1) & (places.length - 1);
		}
		return place;
	};
	const grow = (): void => {
		const larger = Buffer.alloc(rows.length * 2);
		rows.copy(larger);
		rows = larger;
		places = new Int32Array(places.length * 2);
		for (let row = 0; row < size; row += 1) places[findPlace(digestAt(row))] = row + 1;
	};
	return {
		size: (): number => size,
		/** Number of the row; -1 when there is none. */
		find: (digest: Buffer): number => (places[findPlace(digest)] ?? 0) - 1,
		/** Number of the row, which is the last one when it is new. */
		add(digest: Buffer): number {
			const place = findPlace(digest);
			const known = places[place] ?? 0;
			if (known !== 0) return known - 1;
			rows.set(digest, size * rowBytes);
			size += 1;
			places[place] = size;
			if (size * 2 === places.length) grow();
			return size - 1;
		},
		digestAt,
		/** The further bytes of a row, to read and to write until the next row is added. */
		bytesAt: (row: number): Buffer => rows.subarray(row * rowBytes + DIGEST_BYTES, (row + 1) * rowBytes),
	};
}
