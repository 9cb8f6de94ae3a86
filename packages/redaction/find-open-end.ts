import { DETECTORS, findHits } from "./detectors.ts";
import { isLettersOfWords } from "./judgement/check-randomness.ts";
import { SECRET_NAME_PART_OTHER_SCRIPTS } from "./places/assignments/find-assignments.ts";
import { DATA_FIELD } from "./places/find-kubernetes-secrets.ts";
import { STRUCTURE_RULES } from "./shapes/find-structures.ts";

/**
 * Where the end of a text begins that may still turn out to be a secret, or a piece of one, when more of it comes.
 * What later lines can change is the block they belong to, up to a blank line: a token that goes on, a closing tag, the
 * last line of a key. So a block is shown as long as it reads like plain words, and otherwise when it is complete.
 */
export function findOpenEnd(text: string, secrets: readonly string[]): number {
	return Math.min(
		findOpenWord(text),
		findOpenBlock(text),
		findOpenManifest(text),
		findOpenStructure(text),
		findOpenValue(text, secrets),
	);
}

/** The other end: a text whose beginning was cut off is shown from its first blank line, and before that in plain words. */
export function dropOpenStart(text: string): string {
	const lines = text.split("\n");
	const blank = lines.findIndex((line) => line.trim() === "");
	const known = blank === -1 ? lines.length : blank;
	// The first line is broken, so that nothing says what it is a part of.
	return lines.filter((line, number) => number >= known || (number > 0 && findRisk(line) === -1)).join("\n");
}

/** A word that is still being written, unless it is too short to show anything. */
function findOpenWord(text: string): number {
	const start = text.length - (/\S{0,400}$/.exec(text.slice(-400))?.[0].length ?? 0);
	return /^(?:[A-Za-z]{0,7}|\d{0,6})[.,;:!?)]{0,2}$/.test(text.slice(start)) ? text.length : start;
}

function findOpenBlock(text: string): number {
	const start = findBlockStart(text, text.length);
	if (isAnnouncedBlock(text, start)) return start;
	const risk = findRisk(text.slice(start));
	return risk === -1 ? text.length : findWordStart(text, start + risk, start);
}

/** After the last blank line that is complete. */
function findBlockStart(text: string, end: number): number {
	let lineEnd = text.lastIndexOf("\n", end - 1);
	while (lineEnd > 0) {
		const previous = text.lastIndexOf("\n", lineEnd - 1);
		if (text.slice(previous + 1, lineEnd).trim() === "") return lineEnd + 1;
		lineEnd = previous;
	}
	return 0;
}

/** Words and codes are written on several lines. */
const ANNOUNCES_LINES = /(?:phrase|mnemonic|words|codes)[^\n]{0,80}[:=]$/i;

/** A name may be followed by a blank line, and then by its value. */
function isAnnouncedBlock(text: string, blockStart: number): boolean {
	if (blockStart === 0) return false;
	const before = text.slice(0, blockStart).trimEnd();
	const announcing = before.slice(before.lastIndexOf("\n") + 1);
	if (text.includes("\n", blockStart) && !ANNOUNCES_LINES.test(announcing)) return false;
	return findRisk(announcing) !== -1;
}

function findWordStart(text: string, index: number, floor: number): number {
	let start = index;
	while (start > floor && /[^\s]/.test(text.charAt(start - 1))) start -= 1;
	return start;
}

/** The first place where a secret may begin: at a name, a form or a place that a detector knows, or in what is no word. */
function findRisk(block: string): number {
	const hits = findHits(block).flatMap(({ indexes, literals }, own) => {
		const mayOpen = DETECTORS[own]?.mayOpen;
		return indexes.find((index, hit) => mayOpen?.(block, index, literals[hit] ?? 0) ?? true) ?? [];
	});
	const others = [findStretch(block), findNameInOtherScript(block), block.search(NAMED_LATER)];
	const risks = [...hits, ...others].filter((index) => index !== -1);
	return risks.length === 0 ? -1 : Math.min(...risks);
}

/**
 * What only later words make a secret: `482913 is your login code`, `use 482913 to log in`, `{{ '…' | password_hash }}`. The
 * words are there, or the text ends in the middle of them.
 */
export const NAMED_LATER = new RegExp(
	[
		String.raw`(?<![\w.-])(?:[A-Z]-)?\d{4,8} (?:(?:is?|is (?:y|yo|you)?)?$|is your(?![a-z]))`,
		String.raw`(?<=(?:[Uu]se|[Ee]nter) (?:code )?)\d{5,8} (?:(?:to?|to [a-z]{0,12}|to (?:log|sign) i?)?$|to (?:verify|log in|sign in|confirm|authenticate|complete))`,
		String.raw`(?<=\{\{ {0,2})["'][^"'\n{}]{0,200}(?:(?:["'] ?(?:\| ?[a-z_]{0,13})?)?$|["'] ?\| ?password_hash)`,
	].join("|"),
);

/** Such names are not among the literals. */
function findNameInOtherScript(block: string): number {
	return Buffer.byteLength(block) === block.length
		? -1
		: block.search(new RegExp(SECRET_NAME_PART_OTHER_SCRIPTS.source, "i"));
}

/** Eight characters in a row that do not read like words, numbers or a path made of them; or a field of a manifest. */
function findStretch(block: string): number {
	for (const { 0: stretch, index } of block.matchAll(/[^\s"'`(){}[\]<>,;]{8,}/g)) {
		if (!isPlainStretch(stretch)) return index;
	}
	const field = block.split("\n").findIndex((line) => DATA_FIELD.test(line.trimEnd()));
	return field === -1 ? -1 : block.split("\n").slice(0, field).join("\n").length;
}

const LONGEST_PLAIN_WORD = 24;

function isPlainStretch(stretch: string): boolean {
	return stretch.split(/[^A-Za-z0-9\u0080-\uffff]+/).every((part) => {
		if (part.length < 4 || /^\d{1,10}$/.test(part)) return true;
		const letters = part.replace(/\d{1,2}$/, "");
		return part.length <= LONGEST_PLAIN_WORD && /^[^\d]+$/.test(letters) && isLettersOfWords(letters);
	});
}

/** Tools print a manifest with its fields sorted: the data come before the kind that tells whether they are secret. */
function findOpenManifest(text: string): number {
	const kind = [...text.matchAll(/^[ \t-]{0,40}["']?kind["']?[ \t]{0,4}:/gm)].at(-1)?.index ?? 0;
	const version = text.indexOf("apiVersion", kind);
	if (version === -1) return text.length;
	const data = /^[ \t]{0,40}(?:-[ \t])?["']?(?:data|stringData)["']?[ \t]{0,4}:/m.exec(text.slice(version));
	return data === null ? text.length : version + data.index;
}

/** Some forms are secrets only in a text that mentions whose they are, and it may do so at its end. */
function findOpenStructure(text: string): number {
	const undecided = STRUCTURE_RULES.filter(
		({ mentions }) => mentions !== undefined && !text.toLowerCase().includes(mentions),
	);
	const found = undecided.map(({ pattern }) => text.search(new RegExp(pattern.source)));
	return Math.min(text.length, ...found.filter((index) => index !== -1));
}

/** The beginning of a known value at the end of the text. */
function findOpenValue(text: string, secrets: readonly string[]): number {
	let start = text.length;
	for (const secret of secrets) {
		const first = secret.charAt(0);
		const from = Math.max(0, text.length - secret.length + 1);
		for (let at = text.indexOf(first, from); at !== -1 && at < start; at = text.indexOf(first, at + 1)) {
			if (secret.startsWith(text.slice(at))) start = at;
		}
	}
	return start;
}
