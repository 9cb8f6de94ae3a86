import { escapePattern } from "@deputize/ground";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { hideTexts, type LineFinding } from "./check-added-lines.ts";
import { compareSides } from "./compare-sides.ts";
import { describeReversal } from "./describe-reversal.ts";
import { type ChangeBlock, listChangeBlocks } from "./list-change-blocks.ts";
import type { ChangedFile, ChangedLine } from "./parse-diff.ts";

interface Comparison extends ChangeBlock {
	/** The new file, or what is known of it. */
	readonly lines: readonly string[];
	/** What was added anywhere in the file. */
	readonly addedAnywhere: readonly ChangedLine[];
}

type Compare = (comparison: Comparison) => readonly (Omit<LineFinding, "path"> | undefined)[];

/** What a change took away that the rest still counts on: each rule sees the lines that were removed and what came instead. */
export function compareLines(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	return files
		.filter(({ path, isDeleted }) => !isDeleted && classifyPath(path) === "source")
		.flatMap((file) => {
			const lines = compareSides(index, file).after.text.split("\n");
			return listChangeBlocks(file).flatMap((block) =>
				RULES.flatMap((rule) => rule({ ...block, lines, addedAnywhere: file.added })).flatMap((found) =>
					found === undefined ? [] : [{ path: file.path, ...found }],
				),
			);
		});
}

/** The call is still there, and nobody waits for it. */
const findLostAwaits: Compare = ({ removed, added }) =>
	removed.flatMap(({ text }) =>
		[...hideTexts(text).matchAll(/\bawait\s+(?:[\w$]+(?:\?\.|\.))*([\w$]+)\(/g)].map(([, name = ""]) => {
			const called = new RegExp(`(?<![\\w$])${escapePattern(name)}\\(`);
			const now = added.find((line) => called.test(hideTexts(line.text)));
			const isHandled =
				now === undefined || /\bawait\b|\breturn\b|=>|\bPromise\.|\bvoid\b|\.(?:then|catch)\(/.test(now.text);
			const isElsewhere = added.some((line) => /\bawait\b/.test(line.text) && called.test(line.text));
			return isHandled || isElsewhere
				? undefined
				: { ...now, reason: `\`await\` before \`${name}\` was removed` };
		}),
	);

const OPENED_SAFELY =
	/^\s*(?:async\s+)?with\s+(?:[\w.]+\.)?(\w+)\(|^\s*try\s*\(\s*(?:final\s+)?(?:var|[\w<>.]+)\s+\w+\s*=\s*(?:new\s+)?(?:[\w.]+\.)?(\w+)|^\s*(?:await\s+)?using\s*\(?\s*(?:var|[\w<>.]+)\s+\w+\s*=\s*(?:new\s+)?(?:[\w.]+\.)?(\w+)|\b[A-Z][\w:]*\.(open|new|start)\(.*\)\s*(?:do|\{)\s*\|/;

/** What closed itself is opened without that. */
const findOpenedUnsafely: Compare = ({ removed, added }) =>
	removed.map(({ text }) => {
		const name = OPENED_SAFELY.exec(text)?.slice(1).find(Boolean);
		if (name === undefined) return undefined;
		const opens = new RegExp(`(?<![\\w$])${escapePattern(name)}\\s*\\(`);
		const now = added.find((line) => opens.test(line.text));
		const isSafe =
			now === undefined ||
			OPENED_SAFELY.test(now.text) ||
			added.some(({ text: line }) => /\bfinally\b|\.close\(/i.test(line));
		return isSafe ? undefined : { ...now, reason: `\`${name}\` is no longer closed by itself` };
	});

const CLOSES =
	/\b(?:defer\s+)?([\w$]+)(?:\.|->)(?:Body\.)?(close|Close|release|Release|unlock|Unlock|RUnlock|dispose|Dispose|disconnect|rollback|Rollback|cancel|end|stop|Stop|shutdown|Shutdown|unsubscribe|destroy|terminate|commit|flush|Flush|done|Done)\(\)|\b(fclose|free|closedir|close|clearTimeout|clearInterval|pthread_mutex_unlock|mutex_unlock|CloseHandle)\(\s*&?([\w$]+)\s*\)|\bdefer\s+(cancel)\(\)/;
const NEARBY_LINES = 60;
const CLOSES_ALWAYS = /\b(?:finally|defer|ensure)\b/;
/** How far below such a word a line belongs to it. */
const MAX_LINES_OF_FINALLY = 5;

/** What a line closes, by name. */
function findClosed(code: string): string | undefined {
	const [, owner, , , argument, cancel] = CLOSES.exec(code) ?? [];
	return owner ?? argument ?? cancel;
}

/** What was closed is still used, and nothing near closes it. */
const findUnclosed: Compare = ({ removed, added, addedAnywhere, lines, at }) =>
	removed.map(({ text }) => {
		const code = hideTexts(text);
		const name = findClosed(code);
		if (name === undefined || name === "this" || name === "self") return undefined;
		const near = [
			...lines.slice(Math.max(0, at - NEARBY_LINES), at + NEARBY_LINES),
			...added.map((line) => line.text),
		].map(hideTexts);
		const isUsed = near.some((line) => new RegExp(`(?<![\\w$.])${escapePattern(name)}(?![\\w$])`).test(line));
		const isClosed =
			near.some((line) => findClosed(line) === name) ||
			near.some((line) => new RegExp(`\\b(?:with|using|try)\\b.*\\b${escapePattern(name)}\\b`).test(line));
		// One way out is enough to leave it open.
		const isBeforeLeaving =
			added.length === 0 && /^\s*(?:return|goto|throw|raise|break|continue|exit)\b/.test(lines[at - 1] ?? "");
		// Unless it was moved to where every way out leads.
		const isMoved = addedAnywhere.some(
			({ line, text: other }) =>
				Math.abs(line - at) <= NEARBY_LINES &&
				findClosed(hideTexts(other)) === name &&
				lines
					.slice(Math.max(0, line - 1 - MAX_LINES_OF_FINALLY), line)
					.some((above) => CLOSES_ALWAYS.test(hideTexts(above))),
		);
		if (isUsed && isBeforeLeaving && !isMoved)
			return { line: at, text: lines[at - 1] ?? "", reason: `\`${code.trim()}\` before was removed` };
		return isUsed && !isClosed
			? { line: at, text, reason: `removed; \`${name}\` is still used, and nothing near closes it` }
			: undefined;
	});

const NULL_WORD = "(?:null|undefined|nil|None|NULL|nullptr)";
const NULL_CHECK = new RegExp(
	`^\\s*(?:\\}\\s*)?(?:(?:return|raise|throw|next|break|die|exit)\\b.*?\\b)?(?:if|elif|unless|guard|assert)\\b.*?(?:(?:!|\\bnot\\s+)\\s*([@$]*[A-Za-z_][\\w$]*)\\s*(?:[):{&|]|$|\\bthen\\b)|([@$]*[A-Za-z_][\\w$]*)\\s*(?:===?|!==?|\\bis(?:\\s+not)?)\\s*${NULL_WORD}|${NULL_WORD}\\s*(?:===?|!==?)\\s*([@$]*[A-Za-z_][\\w$]*)|([@$]*[A-Za-z_][\\w$]*)\\.(?:nil\\?|is_none\\(\\)|isEmpty\\(\\)|empty\\?|blank\\?)|(?:is_null|empty)\\(\\s*([$]\\w+)|\\blen\\((\\w+)\\)\\s*==\\s*0)`,
);
const LOOKED_AHEAD = 15;

/** The name that was checked for being there is used as if it were. */
const findLostNullChecks: Compare = ({ removed, added, lines, at }) =>
	removed.map(({ text }) => {
		const name = NULL_CHECK.exec(hideTexts(text))?.slice(1).find(Boolean);
		if (name === undefined) return undefined;
		const escaped = escapePattern(name);
		// Another way to ask is as good.
		const stillAsked = new RegExp(
			`(?:\\b(?:if|elif|unless|guard|assert|while|when)\\b.*|[!?&|]\\s*)(?<![\\w$])${escaped}(?![\\w$])|(?<![\\w$])${escaped}\\s*(?:\\?\\.|\\?\\?|\\|\\||&&|\\?(?![.\\w]))`,
		);
		const ahead = lines.slice(Math.max(0, at - 1), at - 1 + LOOKED_AHEAD);
		if ([...added.map((line) => line.text), ...ahead].some((line) => stillAsked.test(hideTexts(line))))
			return undefined;
		// After a check that left, any use counted on it.
		const isLeft = removed.some((line) =>
			/\b(?:return|throw|raise|panic|exit|die|abort|continue|next|break)\b/.test(line.text),
		);
		const use = isLeft ? "(?![\\w$])" : "(?:\\.|->|\\[|::)";
		const used = ahead.findIndex((line) =>
			new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)\\*?${escaped}${use}`).test(hideTexts(line)),
		);
		// The same word may be the name of something new.
		const isNew = new RegExp(
			`\\b${escaped}\\b[^=]*=>|(?:const|let|var|for|def|func|function)\\b[^=]*\\b${escaped}\\b`,
		);
		return used === -1 || isNew.test(ahead[used] ?? "")
			? undefined
			: { line: at + used, text: ahead[used] ?? "", reason: `the check of \`${name}\` before was removed` };
	});

/** A line whose only change turns what it asks or counts, or takes something away. */
const findTurned: Compare = ({ removed, added }) => {
	if (removed.length !== added.length) return [];
	return added.map((now, position) => {
		const before = removed[position]?.text ?? "";
		if (/^\s*(?:(?:import|from|use|using|#include)\b|export\s*(?:type\s*)?\{)/.test(now.text))
			return undefined;
		const turned = describeReversal(hideTexts(before), hideTexts(now.text));
		return turned === undefined ? undefined : { ...now, reason: `only ${turned}` };
	});
};

const EVERYTHING =
	/\b(?:except(?:\s+(?:Base)?Exception\b.*)?\s*:|rescue\s+Exception\b|catch\s*\(\s*(?:final\s+)?(?:Exception|Throwable|\.\.\.|System\.Exception|\\?(?:Exception|Throwable))\b)/;
const CATCHES = /\b(?:except\s+\S|rescue\s+[A-Z]|catch\s*\(\s*\S)/;

/** It was one kind of error that was expected. */
const findBroadened: Compare = ({ removed, added }) =>
	added.map((now) =>
		EVERYTHING.test(now.text) && removed.some(({ text }) => CATCHES.test(text) && !EVERYTHING.test(text))
			? { ...now, reason: "catches every error now" }
			: undefined,
	);

const PASSES_ON = /\b(?:raise|throw|panic|reject)\b|\breturn\b.*\berr(?:or)?\b|\bErr\(/;
const DOES_NOTHING =
	/^\s*(?:pass|continue|\.\.\.|nil|null|return(?:\s+(?:nil|null|None|undefined|false|0)(?:\s*,\s*nil)?)?|\/\/.*|#.*)?;?\s*$/;

const findSwallowed: Compare = ({ removed, added }) => {
	const [first] = added;
	const isLost =
		first !== undefined &&
		removed.some(({ text }) => PASSES_ON.test(hideTexts(text))) &&
		added.every(({ text }) => DOES_NOTHING.test(text));
	return [isLost ? { ...first, reason: "the error is no longer passed on" } : undefined];
};

/** What must not be lost while the code that it guards remains: calls and forms, because a word alone may be anybody's variable. */
const SAFEGUARDS: readonly (readonly [what: string, pattern: RegExp])[] = [
	[
		"lock",
		/\bsynchronized\b|\block\s*\(|\bwith\s+[\w.]*(?:lock|mutex|semaphore)\w*\b|\b(?:lock_guard|unique_lock|scoped_lock|synchronize)\b|\.(?:lock|acquire)\(\)/i,
	],
	[
		"escaping",
		/\b(?:htmlspecialchars|htmlentities|escape\w*|html\.escape|quote|shlex\.quote|escapeshellarg|encodeURIComponent|sanitize\w*)\(/,
	],
	["prepared query", /\b(?:prepare|prepareStatement|bindParam|bind_param|bindValue)\(/],
	[
		"safe comparison",
		/\b(?:timingSafeEqual|hash_equals|compare_digest|password_verify|ConstantTimeCompare|MessageDigest\.isEqual|secure_compare)\b/,
	],
	["check for overflow", /\.(?:checked|saturating)_\w+\(|\bMath\.(?:add|multiply|subtract)Exact\(/],
	["limit of the length", /\b(?:snprintf|strncpy|strlcpy|strncat|strlcat|fgets)\(/],
	[
		"transaction",
		/\bbeginTransaction\b|\b(?:transaction|atomic)\s*(?:[({]|do\b)|(?:@|\bwith\s+)(?:\w+\.)*(?:[Tt]ransaction(?:al)?|atomic)\b|^\s*BEGIN\b|\.commit\(\s*\)|\.rollback\(/,
	],
	["atomic value", /\batomic\s*</],
	["stop on errors", /^\s*set\s+-[a-z]*e|\bcheck\s*=\s*True\b|raise_for_status\(/],
	[
		"time limit",
		/(?<!\b(?:const|let|var|val|final|auto|int|long)\s+)\btimeout(?:\s*(?:\(|=(?!=)|:(?!=|\s*(?:number|int|float)\b))|\s+\d)|\b(?:with|set\w*)deadline\s*\(|\bWithTimeout\s*\(|\bAbortSignal\b/i,
	],
	[
		"check of a name or path",
		/\b(?:validate\w*|isValid\w*|authorize\w*|authenticate\w*|requireAuth|is_safe\w*|secure_filename|realpath|basename)\(/,
	],
];

const findLostSafeguards: Compare = ({ removed, added, at, lines }) =>
	SAFEGUARDS.map(([what, pattern]) => {
		const lost = removed.find(({ text }) => pattern.test(hideTexts(text)));
		const near = [...added.map(({ text }) => text), ...lines.slice(Math.max(0, at - 4), at + 4)];
		if (lost === undefined || near.some((text) => pattern.test(hideTexts(text)))) return undefined;
		// Where what it guarded is gone too, nothing was lost.
		const words = new Set(added.flatMap(({ text }) => text.match(/[A-Za-z_]\w{2,}/g) ?? []));
		const kept = removed.flatMap(({ text }) => text.match(/[A-Za-z_]\w{2,}/g) ?? []);
		const isGuarding =
			removed.length <= 2 || kept.filter((word) => words.has(word)).length * 3 >= kept.length;
		const now = added[0] ?? { line: at, text: lost.text };
		return isGuarding ? { ...now, reason: `the ${what} that was here was removed` } : undefined;
	});

const FREES = /^\s*(?:free|kfree|g_free)\(\s*([\w.>[\]-]+)\s*\);|^\s*delete(?:\[\])?\s+(\w+);/;

/** Freed, and used on the next lines. */
const findUsedAfterFree: Compare = ({ added, lines, at }) =>
	lines.slice(Math.max(0, at - 2), at + added.length).map((text, place) => {
		const name = FREES.exec(text)?.slice(1).find(Boolean);
		if (name === undefined || added.length === 0) return undefined;
		const line = Math.max(0, at - 2) + place + 1;
		const after = lines.slice(line, line + 3);
		const end = after.findIndex((next) => /\b(?:return|break|goto|else|exit)\b|^\s*\}/.test(next));
		const uses = new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$]|\\s*=[^=])`);
		const isUsed = after.slice(0, end === -1 ? after.length : end).some((next) => uses.test(hideTexts(next)));
		return isUsed ? { line, text, reason: `\`${name}\` is used after it was freed` } : undefined;
	});

const findLostBreaks: Compare = ({ removed, added, lines, at }) => [
	added.length === 0 &&
	removed.some(({ text }) => /^\s*break;?\s*$/.test(text)) &&
	/^\s*(?:case\b|default\b)/.test(lines[at - 1] ?? "")
		? { line: at, text: lines[at - 1] ?? "", reason: "`break` before was removed" }
		: undefined,
];

/** Faults that take two or three lines. */
const SPREAD: readonly (readonly [reason: string, pattern: RegExp])[] = [
	["error swallowed", /^(?:except\b[^:]*:|rescue\b[^;]*) (?:pass|nil|end|continue)$/],
	["error swallowed", /^(?:\} ?)?catch ?(?:\([^)]*\))? ?\{ (?:\/\/.* )?\}/],
	["error swallowed", /^if err != nil \{ \}/],
	["error turned into success", /^if err != nil \{ return nil \}/],
];
const MAX_SPREAD_LINES = 3;

const findSpread: Compare = ({ added }) =>
	added.map((first, position) => {
		for (let count = 2; count <= MAX_SPREAD_LINES; count += 1) {
			const part = added.slice(position, position + count);
			const text = part.map((line: ChangedLine) => line.text.trim()).join(" ");
			const found = part.length === count ? SPREAD.find(([, pattern]) => pattern.test(text)) : undefined;
			if (found !== undefined) return { ...first, reason: found[0] };
		}
		return undefined;
	});

const RULES: readonly Compare[] = [
	findLostAwaits,
	findOpenedUnsafely,
	findUnclosed,
	findLostNullChecks,
	findTurned,
	findBroadened,
	findSwallowed,
	findLostSafeguards,
	findUsedAfterFree,
	findLostBreaks,
	findSpread,
];
