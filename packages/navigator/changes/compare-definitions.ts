import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { findUses, type Use } from "../find-uses.ts";
import type { Place } from "../quote-line.ts";
import { baseNameOf } from "../render-surroundings.ts";
import type { NamedPlace } from "../syntax/file-facts.ts";
import type { LineFinding } from "./check-added-lines.ts";
import { compareSides, type Side } from "./compare-sides.ts";
import { listArguments, listParameters } from "./list-arguments.ts";
import type { ChangedFile } from "./parse-diff.ts";

export interface ChangedDefinition extends Place {
	readonly name: string;
}

const MAX_COMPARED = 60;
const MIN_NAME_CHARS = 3;
const LOCAL = /^\s+(?:const|let|var)\s/;

/** What the changed lines of a side define, by name. */
function listDefinitions({ text, facts, changedLine }: Side): Map<string, NamedPlace> {
	const found = new Map<string, NamedPlace>();
	for (const definition of facts?.definitions ?? []) {
		const { name, line, start } = definition;
		const changed = changedLine(line);
		const isLocal = LOCAL.test(text.slice(facts?.offsetOf(line), start));
		if (changed !== undefined && !isLocal && name.length >= MIN_NAME_CHARS && !found.has(name))
			found.set(name, { ...definition, line: changed });
	}
	return found;
}

/** Definitions whose own line is new or changed, in sources. */
export function listChangedDefinitions(index: CodeIndex, files: readonly ChangedFile[]): ChangedDefinition[] {
	return files
		.filter(({ path, isDeleted }) => !isDeleted && classifyPath(path) === "source")
		.flatMap((file) =>
			[...listDefinitions(compareSides(index, file).after)].map(([name, { line }]) => ({
				name,
				path: file.path,
				line,
			})),
		);
}

/** What no line shows by itself: what was removed and is still used, and calls that no longer fit. */
export function compareDefinitions(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	const code = files.filter(({ path }) => classifyPath(path) === "source");
	return [...findOrphans(index, code), ...findOldCalls(index, code), ...findLostChecks(files)];
}

function findOrphans(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	const sides = files.map((file) => compareSides(index, file));
	const defined = new Set(sides.flatMap(({ after }) => [...listDefinitions(after).keys()]));
	return sides
		.flatMap(({ before }) => [...listDefinitions(before).keys()])
		.filter((name) => !defined.has(name))
		.slice(0, MAX_COMPARED)
		.flatMap((name) => {
			const uses = findUses(index, name);
			if (uses.some(({ kind }) => kind === "definition" || kind === "unread")) return [];
			// `JSON.parse` is no call of a function `parse` that was here.
			const [first] = uses.filter(
				(use) => use.kind === "import" || (use.kind === "call" && !isQualifiedCall(use, name)),
			);
			return first === undefined ? [] : [toFinding(first, `\`${name}\` was removed and is still used`)];
		});
}

function findOldCalls(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	return files
		.flatMap((file) => {
			const { before, after } = compareSides(index, file);
			const old = listDefinitions(before);
			return [...listDefinitions(after)].flatMap(([name, definition]) => {
				const known = old.get(name);
				const was = known && listParameters(before.text, known.end);
				const is = listParameters(after.text, definition.end);
				if (was === undefined || is === undefined || (was.least === is.least && was.most === is.most))
					return [];
				return [{ name, path: file.path, ...is }];
			});
		})
		.slice(0, MAX_COMPARED)
		.flatMap(({ name, least, most, path }) => {
			const uses = findUses(index, name);
			// Of two functions of one name nobody knows which one is called.
			const isOnly = uses.filter(({ kind }) => kind === "definition").length <= 1;
			const wrong = uses
				.filter((use) => use.kind === "call" && (isOnly || isQualifiedBy(use, name, path)))
				.find((use) => {
					const text = index.files.find((file) => file.path === use.path)?.text ?? "";
					const given = listArguments(text, use.start + name.length)?.length;
					return given !== undefined && (given < least || given > most);
				});
			const count =
				least === most
					? least
					: most === Number.POSITIVE_INFINITY
						? `at least ${least}`
						: `${least} to ${most}`;
			return wrong === undefined ? [] : [toFinding(wrong, `\`${name}\` now takes ${count} arguments`)];
		});
}

/** `text.len()` is no call of a function `len`; `tax.add()` is one when it is in tax.py. */
function isQualifiedBy({ text }: Use, name: string, path: string): boolean {
	const before = text.slice(0, text.indexOf(name));
	const qualifier = /([\w$)\]]+)(?:\.|::|->)$/.exec(before)?.[1];
	const folder = path.split("/").at(-2);
	return qualifier === undefined || qualifier === baseNameOf(path) || qualifier === folder;
}

function isQualifiedCall({ text }: Use, name: string): boolean {
	return /(?:\.|::|->)\s*$/.test(text.slice(0, Math.max(0, text.indexOf(name))));
}

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
