import { findDefinedName } from "../classify-line.ts";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { findUses, type Use } from "../find-uses.ts";
import type { Place } from "../quote-line.ts";
import { baseNameOf } from "../render-surroundings.ts";
import type { LineFinding } from "./check-added-lines.ts";
import type { ChangedFile, ChangedLine } from "./parse-diff.ts";

export interface ChangedDefinition extends Place {
	readonly name: string;
}

const MAX_COMPARED = 60;
const MIN_NAME_CHARS = 3;

/** What the added and removed lines define, by name. */
function listDefinitions(lines: readonly ChangedLine[]): Map<string, ChangedLine> {
	const found = new Map<string, ChangedLine>();
	for (const line of lines) {
		const name = findDefinedName(line.text);
		if (name !== undefined && name.length >= MIN_NAME_CHARS && !found.has(name)) found.set(name, line);
	}
	return found;
}

/** Definitions whose own line is new or changed, in sources. */
export function listChangedDefinitions(files: readonly ChangedFile[]): ChangedDefinition[] {
	return files
		.filter(({ path, isDeleted }) => !isDeleted && classifyPath(path) === "source")
		.flatMap(({ path, added }) =>
			[...listDefinitions(added)].map(([name, { line }]) => ({ name, path, line })),
		);
}

/** What no line shows by itself: what was removed and is still used, and calls that no longer fit. */
export function compareDefinitions(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	const code = files.filter(({ path }) => classifyPath(path) === "source");
	return [...findOrphans(index, code), ...findOldCalls(index, code), ...findLostChecks(files)];
}

function findOrphans(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	const defined = new Set(files.flatMap(({ added }) => [...listDefinitions(added).keys()]));
	return files
		.flatMap(({ removed }) => [...listDefinitions(removed).keys()])
		.filter((name) => !defined.has(name))
		.slice(0, MAX_COMPARED)
		.flatMap((name) => {
			const uses = findUses(index, name);
			if (uses.some(({ kind }) => kind === "definition")) return [];
			const [first] = uses.filter(({ kind }) => kind === "import" || kind === "call");
			return first === undefined ? [] : [toFinding(first, `\`${name}\` was removed and is still used`)];
		});
}

function findOldCalls(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	return files
		.flatMap(({ path, added, removed }) => {
			const before = listDefinitions(removed);
			return [...listDefinitions(added)].flatMap(([name, line]) => {
				const old = before.get(name);
				const [least, most] = countParameters(line.text);
				return old === undefined || least === undefined || most === undefined || old.text === line.text
					? []
					: [{ name, least, most, path, isMethod: /^\s/.test(line.text) }];
			});
		})
		.slice(0, MAX_COMPARED)
		.flatMap(({ name, least, most, path, isMethod }) => {
			const uses = findUses(index, name);
			const isOnly = uses.filter(({ kind }) => kind === "definition").length === 1;
			const wrong = uses
				.filter(({ kind, text }) => kind === "call" && (isMethod ? isOnly : isQualifiedBy(text, name, path)))
				.find(({ text }) => {
					const given = countArguments(text, name);
					return given !== undefined && (given < least || given > most);
				});
			return wrong === undefined
				? []
				: [
						toFinding(
							wrong,
							`\`${name}\` now takes ${least === most ? least : `${least} to ${most}`} arguments`,
						),
					];
		});
}

/** `text.len()` is no call of a function `len`; `tax.add()` is one when it is in tax.py. */
function isQualifiedBy(text: string, name: string, path: string): boolean {
	const before = text.slice(0, text.indexOf(name));
	const qualifier = /([\w$)\]]+)(?:\.|::|->)$/.exec(before)?.[1];
	const folder = path.split("/").at(-2);
	return qualifier === undefined || qualifier === baseNameOf(path) || qualifier === folder;
}

/** Least and most arguments; undefined when the list does not end on the line. */
function countParameters(text: string): [least?: number, most?: number] {
	const list = listInside(text, text.indexOf("("));
	if (list === undefined) return [];
	const named = list
		.map((parameter) => parameter.trim())
		.filter((parameter) => !/^&?(?:mut )?self\b|^this\b|^\*$|^cls\b/.test(parameter));
	if (named.some((parameter) => /^(?:\.\.\.|\*)/.test(parameter) || /\.\.\./.test(parameter)))
		return [0, Number.POSITIVE_INFINITY];
	const required = named.filter((parameter) => !/=|\?\s*(?::|$)/.test(parameter));
	return [required.length, named.length];
}

function countArguments(text: string, name: string): number | undefined {
	const list = listInside(text, text.indexOf("(", text.indexOf(name)));
	return list === undefined || list.some((argument) => /^\s*(?:\.\.\.|\*)/.test(argument))
		? undefined
		: list.length;
}

/** What is between a bracket and its end, cut at commas of its own level. Undefined when it does not end on the line. */
function listInside(text: string, open: number): string[] | undefined {
	if (open === -1) return undefined;
	const code = text.slice(open + 1).replace(LITERAL, "x");
	const cuts = [0];
	let depth = 1;
	for (const [at, character] of [...code].entries()) {
		if ("([{".includes(character)) depth += 1;
		if (")]}".includes(character)) depth -= 1;
		if (character === "," && depth === 1) cuts.push(at + 1);
		if (depth === 0) return splitAt(code.slice(0, at), cuts);
	}
	return undefined;
}

function splitAt(text: string, cuts: readonly number[]): string[] {
	const parts = cuts.map((cut, at) => text.slice(cut, (cuts[at + 1] ?? text.length + 1) - 1));
	return parts.filter((part, at) => part.trim() !== "" || at < parts.length - 1);
}

const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** A test that checks less than before. */
function findLostChecks(files: readonly ChangedFile[]): LineFinding[] {
	const CHECK = /\b(?:assert\w*|expect|require|t\.(?:Error|Fatal)f?|should)\b|assert(?:_eq|_ne)?!/;
	return files
		.filter(({ path }) => classifyPath(path) === "test")
		.flatMap(({ path, added, removed, isDeleted }) => {
			const lost = removed.filter(({ text }) => CHECK.test(text));
			const gained = added.filter(({ text }) => CHECK.test(text)).length;
			const [first] = lost;
			if (first === undefined || lost.length <= gained) return [];
			const reason = isDeleted ? "test removed" : `${lost.length - gained} fewer checks than before`;
			return [{ path, line: first.line, text: first.text, reason }];
		});
}

function toFinding({ path, line, text }: Use, reason: string): LineFinding {
	return { path, line, text, reason };
}
