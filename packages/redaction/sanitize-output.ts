import {
	createComputingClock,
	explainCurrentDirectory,
	readHome,
	stripControlSequences,
} from "@deputize/ground";
import { dropOpenStart, findOpenEnd } from "./find-open-end.ts";
import { type HomeOptions, hideHomes } from "./hide-homes.ts";
import { isSecretValue } from "./judgement/check-value.ts";
import { classifyKey } from "./judgement/classify-key.ts";
import { redactSecrets, removeExactValues } from "./redact-secrets.ts";
import type { RedactedText } from "./redacted-text.ts";
import { shortenStackTraces } from "./shorten-stack-traces.ts";
import { createTimeCheck, type Deadline, DeadlineExceeded, REDACTED_MARK } from "./spans.ts";

export interface SanitizeOptions {
	/** Exact values to remove, as `collectSecrets` returns them. */
	readonly secrets?: readonly string[];
	/** The user's home directory, shown as `~` like those of others. An empty string leaves every path as it is. */
	readonly home?: string;
	/** The working tree, by default that of the process. Its paths stay when it is in somebody else's home directory. */
	readonly cwd?: string;
	/**
	 * Where the text is incomplete: its end is still being written or was cut off, or its start was. Anything there that
	 * may be part of a secret is left out.
	 */
	readonly open?: "start" | "end";
	/** Of computing, not of the clock. When it is up, the text is withheld rather than passed on half checked. */
	readonly deadlineMs?: number;
	readonly now?: () => number;
}

const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Makes text fit to leave the process: no terminal sequences, no secrets, no home directory, no endless stack trace.
 * Never throws. If anything goes wrong, the text is withheld and the result says so. Sanitizing twice changes nothing.
 */
export function sanitizeOutput(text: string, options: SanitizeOptions = {}): RedactedText {
	try {
		return sanitize(String(text), options) as RedactedText;
	} catch (error) {
		return withheld(error) as RedactedText;
	}
}

function sanitize(text: string, options: SanitizeOptions): string {
	const deadline = createTimeCheck(
		options.deadlineMs ?? DEFAULT_DEADLINE_MS,
		options.now ?? createComputingClock(),
	);
	deadline.check();
	const secrets = options.secrets ?? [];
	const visible = stripControlSequences(text);
	const withoutKnown = dropOpenPart(removeExactValues(visible, secrets, deadline), secrets, options.open);
	return shortenStackTraces(hideHomesAndSecrets(withoutKnown, options, deadline));
}

function dropOpenPart(text: string, secrets: readonly string[], open: SanitizeOptions["open"]): string {
	if (open === "end") return text.slice(0, findOpenEnd(text, secrets));
	return open === "start" ? dropOpenStart(text) : text;
}

/** Each changes what the other sees: a password after a path is recognized only once the path is a `~`. */
const MAXIMUM_ROUNDS = 4;

function hideHomesAndSecrets(text: string, options: SanitizeOptions, deadline: Deadline): string {
	const homes: HomeOptions = { home: options.home ?? readHome(), cwd: options.cwd ?? readWorkingTree() };
	let current = redactSecrets(hideHomes(text, homes), deadline);
	for (let round = 1; round < MAXIMUM_ROUNDS; round += 1) {
		const shown = hideHomes(current, homes);
		if (shown === current) break;
		current = redactSecrets(shown, deadline);
	}
	return current;
}

/** A directory that was deleted has no paths worth keeping. */
function readWorkingTree(): string {
	return explainCurrentDirectory() === undefined ? process.cwd() : "/";
}

/** A message may quote the text; the name of an error does not. */
function withheld(error: unknown): string {
	const name = error instanceof Error ? error.name : "an error";
	const reason = error instanceof DeadlineExceeded ? "it took too long" : name;
	return `(text withheld: checking it for secrets did not finish, ${reason}. Ask for a smaller part of it.)`;
}

const MAXIMUM_DEPTH = 12;
const MAXIMUM_ENTRIES = 1000;

/**
 * The same for tool arguments: every string in arrays and objects, keys too. A value whose key names a secret is
 * replaced even if the value alone would not be recognized. Values nested too deep and excess entries are left out.
 */
export function sanitizeValue(value: unknown, options: SanitizeOptions = {}): unknown {
	const sanitizeNested = (nested: unknown, depth: number): unknown => {
		if (typeof nested === "string" || typeof nested === "bigint")
			return sanitizeOutput(String(nested), options);
		if (typeof nested === "function") return undefined;
		if (typeof nested !== "object" || nested === null) return nested;
		if (depth >= MAXIMUM_DEPTH) return "(nested too deep to show)";
		if (Array.isArray(nested))
			return nested.slice(0, MAXIMUM_ENTRIES).map((item) => sanitizeNested(item, depth + 1));
		const entries = Object.entries(nested).slice(0, MAXIMUM_ENTRIES);
		return Object.fromEntries(
			entries.map(([key, item]) => [
				sanitizeOutput(key, options),
				isSecretEntry(key, item) ? REDACTED_MARK : sanitizeNested(item, depth + 1),
			]),
		);
	};
	return sanitizeNested(value, 0);
}

function isSecretEntry(key: string, item: unknown): boolean {
	const keyClass = classifyKey(key);
	const text = typeof item === "number" && keyClass === "password" ? String(item) : item;
	return typeof text === "string" && isSecretValue(text, keyClass, "certain");
}
