import { matchAt } from "@deputize/ground";
import { type Detector, exactly, type Hits } from "../detector.ts";
import type { Deadline, Span } from "../spans.ts";

const toKeyLine = (word: "BEGIN" | "END"): RegExp =>
	new RegExp(
		String.raw`-{4,5} ?${word} (?:(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN (?:Static key V\d|tls-crypt-v2 (?:client|server) key)) ?-{4,5}`,
		"g",
	);
export const KEY_BEGIN = toKeyLine("BEGIN");
export const KEY_END = toKeyLine("END");
const MAXIMUM_KEY_LENGTH = 65_536;

/** Private keys in text form: whole, without their last line, without their first line, and PuTTY's. */
export const PRIVATE_KEYS: Detector = {
	// The first characters of base64 are those of `-----BEGIN `. Certificates and public keys have them too, and stay.
	literals: exactly([
		"PRIVATE KEY",
		"Private-Lines:",
		"LS0tLS1CRUdJTi",
		"BEGIN OpenVPN",
		"IBAzCC",
		"IBADANBgkqhkiG9w0BAQEFAASC",
		"IBAAK",
		"BgkqhkiG9w0BBQ",
		"AgEAMBMGByqGSM49",
		"AgEAMBAGByqGSM49",
		"MHcCAQEEI",
		"MIGkAgEBBD",
		"MC4CAQAwBQYDK2Vw",
		"/u3+7QAAAA",
		"zs7OzgAAAA",
		"BQIAAAB",
		"b3BlbnNzaC1rZXktdjEA",
	]),
	find: findPrivateKeys,
};

/** In the order of the literals; the last is for all that follow. */
const FINDERS = [findPem, findPutty, findEncodedPem, findPem, findBareKeys];

function findPrivateKeys(text: string, hits: Hits, deadline: Deadline): Span[] {
	const mentioned = new Set(
		hits.literals.map((literal) => FINDERS[Math.min(literal, FINDERS.length - 1)] ?? findBareKeys),
	);
	return [...mentioned].flatMap((find) => find(text, deadline));
}

function findPem(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	const ends = [...text.matchAll(KEY_END)].map((match) => ({
		start: match.index,
		end: match.index + match[0].length,
	}));
	let nextEnd = 0;
	let covered = 0;
	for (const begin of text.matchAll(KEY_BEGIN)) {
		deadline.check();
		const bodyStart = begin.index + begin[0].length;
		while ((ends[nextEnd]?.start ?? text.length) < bodyStart) {
			addHeadless(text, ends[nextEnd], covered, spans);
			nextEnd += 1;
		}
		const closing = ends[nextEnd];
		const closed =
			closing !== undefined &&
			closing.start - bodyStart <= MAXIMUM_KEY_LENGTH &&
			!hasOtherBegin(text, bodyStart, closing.start);
		const end = closed ? closing.end : readKeyBody(text, bodyStart);
		if (closed) nextEnd += 1;
		// A title alone (a message about keys, a pattern that looks for them) is no key.
		if (hasBody(text, bodyStart, closed ? closing.start : end)) spans.push({ start: begin.index, end });
		covered = end;
	}
	for (; nextEnd < ends.length; nextEnd += 1) addHeadless(text, ends[nextEnd], covered, spans);
	return spans;
}

function hasOtherBegin(text: string, from: number, to: number): boolean {
	const next = text.indexOf("BEGIN ", from);
	return next !== -1 && next < to;
}

function hasBody(text: string, from: number, to: number): boolean {
	return /[A-Za-z0-9+/]{16}/.test(text.slice(from, Math.min(to, from + 2048)));
}

/** Base64 lines, headers of encrypted keys, and the line ends, quotes and margins that texts put around them. */
export const KEY_BODY_PIECE =
	/(?:\\r|\\n|\\|[\s"'`+,|>*.$()]){1,80}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\n\\]{0,120}|[A-Za-z0-9+/=]{1,8192}/y;
const SHORTEST_BODY_LINE = 16;

function readKeyBody(text: string, from: number): number {
	const limit = Math.min(text.length, from + MAXIMUM_KEY_LENGTH);
	let position = from;
	let end = from;
	while (position < limit) {
		const piece = matchAt(KEY_BODY_PIECE, text, position)?.[0];
		if (piece === undefined) break;
		if (
			/^[A-Za-z0-9+/=]/.test(piece) &&
			piece.length < SHORTEST_BODY_LINE &&
			!endsBody(text, position, piece)
		)
			break;
		position += piece.length;
		if (/[A-Za-z0-9=]$/.test(piece)) end = position;
	}
	return end;
}

/** The last line of a key may be short; a short word in the middle of a line is prose. */
function endsBody(text: string, position: number, piece: string): boolean {
	const next = text.slice(position + piece.length, position + piece.length + 2);
	return (
		piece.length >= 2 &&
		/^[A-Za-z0-9+/]*={0,2}$/.test(piece) &&
		/[\dA-Z+/=]/.test(piece) &&
		/^(?:$|[\n\r"'`]|\\n|-)/.test(next)
	);
}

/** The lines before an END whose BEGIN was cut off. */
function addHeadless(text: string, closing: Span | undefined, covered: number, spans: Span[]): void {
	if (closing === undefined) return;
	let start = closing.start;
	const floor = Math.max(covered, closing.start - MAXIMUM_KEY_LENGTH);
	while (
		start > floor &&
		/[A-Za-z0-9+/=\s\\"'|>]/.test(text.charAt(start - 1)) &&
		!isProseLineBefore(text, start, floor)
	)
		start -= 1;
	while (start < closing.start && /[\s\\"'|>]/.test(text.charAt(start))) start += 1;
	if (hasBody(text, start, closing.start)) spans.push({ start, end: closing.end });
}

/** Stops at a line without a long run of base64. Checked once per line. */
function isProseLineBefore(text: string, start: number, floor: number): boolean {
	if (text[start - 1] !== "\n") return false;
	const lineStart = Math.max(text.lastIndexOf("\n", start - 2) + 1, floor, start - 400);
	return !/[A-Za-z0-9+/=]{40}/.test(text.slice(lineStart, start - 1));
}

export const PUTTY_LINES = /Private-Lines: ?(\d{1,4})\r?\n/g;

function findPutty(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	for (const match of text.matchAll(PUTTY_LINES)) {
		deadline.check();
		const start = match.index + match[0].length;
		let end = start;
		for (let line = Math.min(Number(match[1]), 400); line > 0 && end < text.length; line -= 1) {
			const next = text.indexOf("\n", end);
			end = next === -1 || next - end > 200 ? Math.min(text.length, end + 200) : next + 1;
		}
		while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
		if (/^[A-Za-z0-9+/=\s]{16}/.test(text.slice(start, end))) spans.push({ start, end });
		const mac = /^\s{0,4}Private-(?:MAC|Hash): ?([0-9a-f]{32,64})/.exec(text.slice(end, end + 120));
		if (mac?.[1] !== undefined) {
			const macEnd = end + mac[0].length;
			spans.push({ start: macEnd - mac[1].length, end: macEnd });
		}
	}
	return spans;
}

export const ENCODED_PEM = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,16384}={0,2}/g;

function findEncodedPem(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	for (const match of text.matchAll(ENCODED_PEM)) {
		deadline.check();
		const title = Buffer.from(match[0].slice(0, 80), "base64").toString("latin1");
		if (title.includes("PRIVATE KEY")) spans.push({ start: match.index, end: match.index + match[0].length });
	}
	return spans;
}

/**
 * The first bytes of private keys and key stores in base64, without the lines that PEM puts around them: PKCS #1, #8, #12,
 * SEC 1, Ed25519, OpenSSH, Java key stores, Kerberos key tables. Certificates and public keys begin differently.
 */
export const BARE_KEY =
	/(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{3,5}(?:IBAzCC|IBADANBgkqhkiG9w0BAQEFAASC|IBAAK[BC]|BgkqhkiG9w0BBQ)|MI[IG][A-Za-z0-9+/]{1,4}(?:AgEAMBMGByqGSM49|AgEAMBAGByqGSM49)|MHcCAQEEI|MIGkAgEBBD|MC4CAQAwBQYDK2Vw|\/u3\+7QAAAA[IE]|zs7OzgAAAAI|BQIAAAB[A-Z]|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/]{24,16384}={0,2}/g;
/** Encoders break lines after 64 to 76 characters. */
export const NEXT_KEY_LINE =
	/(?:\\r)?(?:\\n|\r?\n)[ \t>|+#*"']{0,16}([A-Za-z0-9+/]{1,120}={0,2})(?=["'`,;\s\\]|$)/y;
const NARROWEST_KEY_LINE = 48;

function findBareKeys(text: string, deadline: Deadline): Span[] {
	return [...text.matchAll(BARE_KEY)].map((match) => {
		deadline.check();
		return { start: match.index, end: readKeyLines(text, match.index, match.index + match[0].length) };
	});
}

function readKeyLines(text: string, start: number, firstEnd: number): number {
	let end = firstEnd;
	let length = end - start;
	while (length >= NARROWEST_KEY_LINE && text[end - 1] !== "=") {
		const line = matchAt(NEXT_KEY_LINE, text, end);
		if (line === null) break;
		length = line[1]?.length ?? 0;
		end += line[0].length;
	}
	return end;
}
