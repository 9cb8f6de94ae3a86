import { gunzipSync } from "node:zlib";
import type { Detector } from "../detector.ts";
import { looksMixed } from "../judgement/check-randomness.ts";
import type { Deadline, Span } from "../spans.ts";

/** Shorter ones are words, identifiers and numbers. */
const SHORTEST_ENCODED = 24;
const SHORTEST_UNPADDED = SHORTEST_ENCODED - "==".length;
/** Up to this length the whole run is replaced; of a longer one only the part that decodes to the secret. */
const LONGEST_REPLACED_WHOLE = 4_096;
/** Base64 of hexadecimal of base64 of a line is still read. Each level is shorter than the one around it. */
const MAXIMUM_ENCODINGS = 3;

export type FindSecrets = (text: string, deadline: Deadline) => readonly Span[];

/**
 * Base64 and hexadecimal text whose content has a secret in it: an encoded `.env`, a Docker login, a header in a log. And
 * tokens whose first part is the base64 of a number.
 */
export function createEncodedSecrets(findInside: (depth: number) => FindSecrets, depth: number): Detector {
	return {
		literals: [],
		isFinal: true,
		find(text, _hits, deadline) {
			if (depth >= MAXIMUM_ENCODINGS) return [];
			const find = findInside(depth + 1);
			return findEncodedRuns(text).flatMap((run) => {
				deadline.check();
				return run.isToken ? [run] : findInRun(text, run, find, deadline);
			});
		},
	};
}

function findInRun(text: string, run: Span, find: FindSecrets, deadline: Deadline): readonly Span[] {
	const written = text.slice(run.start, run.end);
	for (const decode of [decodeHex, decodeBase64]) {
		const decoded = decode(written);
		if (decoded === undefined) continue;
		const found = find(decoded, deadline);
		if (found.length === 0) continue;
		if (written.length <= LONGEST_REPLACED_WHOLE) return [run];
		const ratio = written.length / decoded.length;
		return found.map(({ start, end }) => ({
			start: run.start + Math.max(0, Math.floor(start * ratio) - 4),
			end: Math.min(run.end, run.start + Math.ceil(end * ratio) + 4),
		}));
	}
	return [];
}

/** Checked before anything is decoded. */
const SAMPLE_CHARS = 20;
const [TAB, LINE_FEED, CARRIAGE_RETURN, EQUALS] = [9, 10, 13, 61];

interface Run extends Span {
	readonly isToken: boolean;
}

/** Tokens, and stretches of base64 characters that may decode to text, over the line ends that encoders put into them. */
function findEncodedRuns(text: string): Run[] {
	const runs: Run[] = [];
	let start = 0;
	while (start + SHORTEST_UNPADDED <= text.length) {
		// Read backwards: what is before a gap does not have to be read.
		let gap = start + SHORTEST_UNPADDED - 1;
		while (gap >= start && isEncoded(text, gap)) gap -= 1;
		if (gap >= start) {
			start = gap + 1;
			continue;
		}
		let end = start + SHORTEST_UNPADDED;
		while (isEncoded(text, end)) end += 1;
		const token = text[end] === "." ? findBotToken(text, start, end) : undefined;
		end = token?.end ?? skipPadding(text, end);
		if (token !== undefined) runs.push(token);
		else if (end - start >= SHORTEST_ENCODED && mayBeText(text, start)) {
			end = readWrappedLines(text, start, end);
			runs.push({ start, end, isToken: false });
		}
		start = end;
	}
	return runs;
}

/** Of a bot. The first letter is that of a number in base64. */
export const BOT_TOKEN =
	/(?<!(?<!\\|%[0-9A-Fa-f])[A-Za-z0-9.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])/;
const LONGEST_ESCAPE = 3;
const LONGEST_REST = 49;

function findBotToken(text: string, start: number, end: number): Run | undefined {
	const from = Math.max(0, start - LONGEST_ESCAPE);
	const match = BOT_TOKEN.exec(text.slice(from, end + LONGEST_REST));
	if (match === null || !looksMixed(match[0])) return undefined;
	return { start: from + match.index, end: from + match.index + match[0].length, isToken: true };
}

/** An equals sign before a run belongs to an assignment. */
function skipPadding(text: string, from: number): number {
	if (text.charCodeAt(from) !== EQUALS) return from;
	return text.charCodeAt(from + 1) === EQUALS ? from + 2 : from + 1;
}

/** `base64` breaks its lines after 76 characters, PEM and mail after 64: lines of one length, and a shorter last one. */
function readWrappedLines(text: string, start: number, firstEnd: number): number {
	const width = firstEnd - start;
	let end = firstEnd;
	while (width >= 60 && text.charCodeAt(end) === LINE_FEED) {
		let next = end + 1;
		while (next - end - 1 <= width && isEncoded(text, next)) next += 1;
		next = skipPadding(text, next);
		const length = next - end - 1;
		if (length === 0 || length > width) break;
		end = next;
		if (length < width) break;
	}
	return end;
}

/** By character code: its six bits in base64, in either alphabet; -1 for characters outside of it. */
const BITS: Int8Array = createBits();

function createBits(): Int8Array {
	const bits = new Int8Array(128).fill(-1);
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	Array.from(alphabet, (character, value) => bits.set([value], character.charCodeAt(0)));
	bits.set([62], "-".charCodeAt(0));
	bits.set([63], "_".charCodeAt(0));
	return bits;
}

function isEncoded(text: string, index: number): boolean {
	const code = text.charCodeAt(index);
	return code < BITS.length && (BITS[code] as number) >= 0;
}

/** Three bytes of base64 text have their first bits unset; digits of hexadecimal text come in pairs, the first from `2` to `7`. */
function mayBeText(text: string, start: number): boolean {
	for (let at = start; at < start + SAMPLE_CHARS; at += 4) {
		const first = BITS[text.charCodeAt(at)] ?? 0;
		const second = BITS[text.charCodeAt(at + 1)] ?? 0;
		const third = BITS[text.charCodeAt(at + 2)] ?? 0;
		if (first >= 32 || second & 8 || third & 2)
			return HEXADECIMAL_TEXT.test(text.slice(start, start + 14)) || text.startsWith(GZIP_START, start);
	}
	return true;
}

const HEXADECIMAL_TEXT = /^(?:0x)?(?:[2-7][0-9a-fA-F]|0[9aAdD]){6}/;

function decodeBase64(written: string): string | undefined {
	const bytes = Buffer.from(written, "base64");
	if (written.startsWith(GZIP_START)) return decompress(bytes);
	if (isWide(bytes)) return bytes.toString("utf16le");
	return isPrintable(bytes) ? bytes.toString("utf8") : undefined;
}

/** The first bytes of gzip in base64. */
const GZIP_START = "H4sI";
const LARGEST_DECOMPRESSED = 262_144;

function decompress(bytes: Buffer): string | undefined {
	try {
		const content = gunzipSync(bytes, { maxOutputLength: LARGEST_DECOMPRESSED });
		return isPrintable(content) ? content.toString("utf8") : undefined;
	} catch {
		return undefined;
	}
}

/** UTF-16, as PowerShell encodes commands: every second byte is zero. */
function isWide(bytes: Buffer): boolean {
	if (bytes.length < 24 || bytes.length % 2 !== 0) return false;
	for (let index = 0; index < bytes.length; index += 2) {
		if (bytes[index] === 0 || bytes[index + 1] !== 0) return false;
	}
	return true;
}

function decodeHex(written: string): string | undefined {
	if (!/^(?:0x)?[0-9a-fA-F]{24,}$/.test(written) || written.length % 2 !== 0) return undefined;
	const bytes = Buffer.from(written.replace(/^0x/, ""), "hex");
	return isPrintable(bytes) ? bytes.toString("utf8") : undefined;
}

/** Nearly all of it can be printed. A digest or a key decodes to anything. */
function isPrintable(bytes: Uint8Array): boolean {
	let odd = 0;
	for (const byte of bytes) {
		const printable =
			(byte >= 32 && byte < 127) || byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN;
		if (!printable) odd += 1;
		if (odd * 20 > bytes.length) return false;
	}
	return bytes.length >= 12;
}
