import { escapePattern } from "@deputize/ground";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { hideTexts, type LineFinding } from "./check-added-lines.ts";
import { compareSides } from "./compare-sides.ts";
import { type ChangeBlock, listChangeBlocks } from "./list-change-blocks.ts";
import type { ChangedFile, ChangedLine } from "./parse-diff.ts";

interface Comparison extends ChangeBlock {
	/** The new file, or what is known of it. */
	readonly lines: readonly string[];
}

type Compare = (comparison: Comparison) => readonly (Omit<LineFinding, "path"> | undefined)[];

/** What a change took away that the rest still counts on: each rule sees the lines that were removed and what came instead. */
export function compareLines(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	return files
		.filter(({ path, isDeleted }) => !isDeleted && classifyPath(path) === "source")
		.flatMap((file) => {
			const lines = compareSides(index, file).after.text.split("\n");
			return listChangeBlocks(file).flatMap((block) =>
				RULES.flatMap((rule) => rule({ ...block, lines })).flatMap((found) =>
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
	/^\s*(?:async\s+)?with\s+(?:[\w.]+\.)?(\w+)\(|^\s*try\s*\(\s*(?:final\s+)?(?:var|[\w<>.]+)\s+\w+\s*=\s*(?:new\s+)?(?:[\w.]+\.)?(\w+)|^\s*(?:await\s+)?using\s*\(?\s*(?:var|[\w<>.]+)\s+\w+\s*=\s*(?:new\s+)?(?:[\w.]+\.)?(\w+)/;

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
	/\b(?:defer\s+)?([\w$]+)(?:\.|->)(?:Body\.)?(close|Close|release|Release|unlock|Unlock|RUnlock|dispose|Dispose|disconnect|rollback|Rollback|cancel|end)\(\)|\b(fclose|free|closedir|close)\(\s*([\w$]+)\s*\)|\bdefer\s+(cancel)\(\)/;
const NEARBY_LINES = 60;

/** What was closed is still used, and nothing near closes it. */
const findUnclosed: Compare = ({ removed, added, lines, at }) =>
	removed.map(({ text }) => {
		const code = hideTexts(text);
		const [, owner, , , argument, cancel] = CLOSES.exec(code) ?? [];
		const name = owner ?? argument ?? cancel;
		if (name === undefined || name === "this" || name === "self") return undefined;
		const near = [
			...lines.slice(Math.max(0, at - NEARBY_LINES), at + NEARBY_LINES),
			...added.map((line) => line.text),
		].map(hideTexts);
		const isUsed = near.some((line) => new RegExp(`(?<![\\w$.])${escapePattern(name)}(?![\\w$])`).test(line));
		const isClosed =
			near.some((line) => {
				const [, otherOwner, , , otherArgument, otherCancel] = CLOSES.exec(line) ?? [];
				return (otherOwner ?? otherArgument ?? otherCancel) === name;
			}) ||
			near.some((line) => new RegExp(`\\b(?:with|using|try)\\b.*\\b${escapePattern(name)}\\b`).test(line));
		return isUsed && !isClosed
			? { line: at, text, reason: `removed; \`${name}\` is still used, and nothing near closes it` }
			: undefined;
	});

const NULL_WORD = "(?:null|undefined|nil|None|NULL|nullptr)";
const NULL_CHECK = new RegExp(
	`^\\s*(?:\\}\\s*)?(?:if|elif|unless|guard|assert)\\b.*?(?:(?:!|\\bnot\\s+)\\s*([A-Za-z_$][\\w$]*)\\s*(?:[):{&|]|$|\\bthen\\b)|([A-Za-z_$][\\w$]*)\\s*(?:===?|!==?|\\bis(?:\\s+not)?)\\s*${NULL_WORD}|([A-Za-z_$][\\w$]*)\\.(?:nil\\?|is_none\\(\\)|isEmpty\\(\\)))`,
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
			`(?:\\b(?:if|elif|unless|guard|assert|while|when)\\b.*|[!?&|]\\s*)\\b${escaped}\\b|\\b${escaped}\\s*(?:\\?\\.|\\?\\?|\\|\\||&&|\\?(?![.\\w]))`,
		);
		const ahead = lines.slice(Math.max(0, at - 1), at - 1 + LOOKED_AHEAD);
		if ([...added.map((line) => line.text), ...ahead].some((line) => stillAsked.test(hideTexts(line))))
			return undefined;
		const used = ahead.findIndex((line) =>
			new RegExp(`(?<![\\w$.])\\*?${escaped}(?:\\.|->|\\[|::)`).test(hideTexts(line)),
		);
		return used === -1
			? undefined
			: { line: at + used, text: ahead[used] ?? "", reason: `the check of \`${name}\` before was removed` };
	});

const TURNS: readonly (readonly [string, string])[] = [
	["<", "<="],
	[">", ">="],
	["<", ">"],
	["<=", ">="],
	["==", "!="],
	["===", "!=="],
	["&&", "||"],
	["and", "or"],
	["is", "is not"],
	["in", "not in"],
	["+", "-"],
	["min", "max"],
	["-eq", "-ne"],
	["-lt", "-le"],
	["-gt", "-ge"],
	["-z", "-n"],
];
const TOKENS = /[\w$]+|-[a-z]{1,2}\b|[<>=!&|+\-*/%?]+|[^\s\w]/g;

/** A line whose only change turns what it asks or counts. */
const findTurned: Compare = ({ removed, added }) => {
	if (removed.length !== added.length) return [];
	return added.map((now, position) => {
		const before = removed[position]?.text ?? "";
		const turned = describeReversal(hideTexts(before), hideTexts(now.text));
		return turned === undefined ? undefined : { ...now, reason: `only ${turned}` };
	});
};

function describeReversal(before: string, after: string): string | undefined {
	const old = before.match(TOKENS) ?? [];
	const fresh = after.match(TOKENS) ?? [];
	const isTurn = (a: string, b: string): boolean =>
		TURNS.some(([one, other]) => (a === one && b === other) || (a === other && b === one));
	const [start, oldEnd, freshEnd] = findDifference(old, fresh);
	const [was, is] = [old.slice(start, oldEnd).join(" "), fresh.slice(start, freshEnd).join(" ")];
	if (isTurn(was, is)) return `\`${was}\` became \`${is}\``;
	const negation = /^(?:!|not)$/;
	if (was === "" && negation.test(is)) return `\`${is}\` was added`;
	if (is === "" && negation.test(was)) return `\`${was}\` was removed`;
	if (/^[-+] 1$/.test(was) && is === "") return `\`${was}\` was removed`;
	if (/^[-+] 1$/.test(is) && was === "") return `\`${is}\` was added`;
	return undefined;
}

/** Where two lists begin to differ, and where they are the same again. */
function findDifference(
	old: readonly string[],
	fresh: readonly string[],
): [start: number, oldEnd: number, freshEnd: number] {
	let start = 0;
	while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
	let end = 0;
	while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end))
		end += 1;
	return [start, old.length - end, fresh.length - end];
}

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
	findSpread,
];
