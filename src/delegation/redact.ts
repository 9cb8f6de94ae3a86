import { defined } from "@deputize/ground";
import {
	collectSecrets,
	findOpenEnd,
	type RedactedText,
	type SanitizeOptions,
	sanitizeOutput,
	sanitizeValue,
} from "@deputize/redaction";
import { readStoredKeys } from "../config/read-stored-keys.ts";
import type { Surroundings } from "../config/read-surroundings.ts";
import { LIMITS } from "../contract/limits.ts";
import type { DisplayItem } from "../contract/result.ts";
import type { CollectedItem } from "./collect-output.ts";

/** Redaction with this run's own secrets. Every outlet of a delegation goes through one of these. */
export interface Redact {
	text(text: string): RedactedText;
	/** The beginning, at most so many characters. */
	head(text: string, maxChars: number): RedactedText;
	/** The end, likewise. */
	tail(text: string, maxChars: number): RedactedText;
	/** A text that ended in the middle, without what may be a piece of a secret at its end. */
	cutOff(text: string): RedactedText;
	/** The same for a text that is still being written. A large one is looked at again when it has grown by a part. */
	growing(text: string): RedactedText;
	/** The end of a stream whose beginning may be gone, and whose last line may not be complete. */
	excerpt(text: string, maxChars: number): RedactedText;
	args(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
	/** A value of any shape, whole. */
	data(value: unknown): unknown;
	items(items: readonly CollectedItem[]): readonly DisplayItem[];
}

/** How much beyond a cut is redacted too, so that what is open at the cut is seldom part of what is shown. */
const MARGIN_CHARS = 16_384;

export function createRedact({ env, home, agentDirectory }: Surroundings, cwd?: string): Redact {
	const secrets = collectSecrets(env, readStoredKeys(agentDirectory));
	const settings: SanitizeOptions = defined({ secrets, home, cwd });
	const redact = (value: string, open?: "start" | "end"): RedactedText =>
		sanitizeOutput(value, defined({ ...settings, open }));
	const text = rememberLast((value) => redact(value));
	const cutOff = rememberLast((value) => redact(value, "end"));
	const head = (value: string, maxChars: number): RedactedText =>
		value.length <= maxChars + MARGIN_CHARS
			? (text(value).slice(0, maxChars) as RedactedText)
			: (cutOff(value.slice(0, maxChars + MARGIN_CHARS)).slice(0, maxChars) as RedactedText);
	const args = (value: Readonly<Record<string, unknown>>) => redactArguments(value, head, settings);
	return {
		text,
		head,
		// Redacted whole: titles of columns and parents of entries may be far above the part that is shown.
		tail: (value, maxChars) => lastChars(text(value), maxChars),
		cutOff,
		growing: followGrowth((value) => redact(value, "end")),
		excerpt(value, maxChars) {
			const wasCut = Buffer.byteLength(value) >= LIMITS.stderrTailBytes - 4;
			const complete = withoutOpenLine(value, secrets);
			return lastChars(wasCut ? redact(complete, "start") : redact(complete), maxChars);
		},
		args,
		data: (value) => (value === undefined ? undefined : sanitizeValue(value, settings)),
		items: (items) =>
			items.map((item) => toDisplayItem(item, (value) => head(value, LIMITS.maxOutputChars), args)),
	};
}

export function toDisplayItem(
	item: CollectedItem,
	showText: (text: string) => RedactedText,
	showArguments: Redact["args"],
): DisplayItem {
	if (item.type === "text") return { type: "text", text: showText(item.text) };
	const { type, name, args, isError, durationMs } = item;
	return defined({ type, name, args: showArguments(args), isError, durationMs });
}

/** Whoever wrote it may have been stopped in the middle of its last line. */
function withoutOpenLine(text: string, secrets: readonly string[]): string {
	const line = text.lastIndexOf("\n") + 1;
	return text.slice(0, line + findOpenEnd(text.slice(line), secrets));
}

function lastChars(text: RedactedText, maxChars: number): RedactedText {
	return text.slice(Math.max(0, text.length - maxChars)) as RedactedText;
}

/** Updates show the same items ten times a second. */
const REMEMBERED_CHARS = 8 * 1024 * 1024;

function rememberLast(redact: (value: string) => RedactedText): (value: string) => RedactedText {
	const known = new Map<string, RedactedText>();
	let chars = 0;
	return (value) => {
		const remembered = known.get(value);
		if (remembered !== undefined) return remembered;
		const redacted = redact(value);
		if (chars + value.length > REMEMBERED_CHARS) {
			known.clear();
			chars = 0;
		}
		known.set(value, redacted);
		chars += value.length;
		return redacted;
	};
}

/** From here on a growing text is redacted again only when it has grown by a part of itself. */
const LARGE_CHARS = 65_536;
const GROWTH = 1 / 16;

/** Redacts all of a growing text, and still costs no more than a fixed multiple of its final length. */
function followGrowth(redact: (value: string) => RedactedText): (value: string) => RedactedText {
	let previous = "";
	let shown = redact("");
	return (value) => {
		const grown = value.length - previous.length;
		const isSame =
			grown >= 0 && value.startsWith(previous.slice(-64), previous.length - Math.min(64, previous.length));
		if (
			previous !== "" &&
			isSame &&
			(grown === 0 || (value.length > LARGE_CHARS && grown < previous.length * GROWTH))
		)
			return shown;
		previous = value;
		shown = redact(value);
		return shown;
	};
}

/** Arguments are for display: a file's whole content has no place in them. */
function redactArguments(
	args: Readonly<Record<string, unknown>>,
	head: Redact["head"],
	settings: SanitizeOptions,
): Readonly<Record<string, unknown>> {
	const max = LIMITS.maxDisplayArgumentChars;
	const shortened = Object.entries(args).map(([name, value]) =>
		typeof value === "string" && value.length > max ? [name, `${head(value, max)}…`] : [name, value],
	);
	return sanitizeValue(Object.fromEntries(shortened), settings) as Readonly<Record<string, unknown>>;
}
