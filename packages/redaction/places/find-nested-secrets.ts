import { matchAt } from "@deputize/ground";
import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isWordChain } from "../judgement/check-chosen-words.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey, type KeyClass } from "../judgement/classify-key.ts";
import { DESCRIBING_ENDINGS } from "../judgement/words/word-lists.ts";
import type { Span } from "../spans.ts";

/** A name for several secrets, and nothing after it but the opening bracket or colon. Accounts count only as a list. */
export const PARENT =
	/(?:secrets?|tokens|passwords|credentials|creds|api[-_]?keys|accounts(?=\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\[))\\?["']?[ \t]{0,4}[:=][ \t]{0,4}(?:([{[])|\r?\n(?=([ \t]{0,40})\S))/iy;
/** `name: value`, `"name": "value"`, `name = 'value'`, `- value`, `"value",`: one entry on a line or between commas. */
export const CHILD =
	/^[ \t]{0,60}(?:- )?(?:\\?["']?([\w.@/-]{1,80})\\?["']?[ \t]{0,4}(?::[ \t]{1,4}|:(?=\\?["'])|=>?[ \t]{0,4}))?(?:\\?["']([^"'\\\r\n]{4,400})\\?["']|([^\s"',{}[\]#|>&*!][^\s"',{}[\]]{3,400}))[ \t]{0,4}(?:#[^\n]{0,200})?\r?$/;
/** `secrets:` with entries under it, `"tokens": { … }`, `api_keys = [ … ]`: the parent's name applies to its children. */
export const NESTED_SECRETS: Detector = {
	literals: inAnyCase([
		"secret",
		"tokens",
		"passwords",
		"credentials",
		"creds",
		"apikeys",
		"api-keys",
		"api_keys",
		"accounts",
	]),
	find: readingFrom(readNestedSecrets),
};

function readNestedSecrets(text: string, index: number, spans: Span[]): number {
	const parent = matchAt(PARENT, text, index);
	if (parent === null) return index;
	const start = parent.index + parent[0].length;
	const block =
		parent[1] === undefined ? indentedBlock(text, parent, start) : bracedBlock(text, start, parent[1]);
	spans.push(...readChildren(block, start, parentKind(parent[0]), parent[1]));
	return start + block.length;
}

/** Up to the first line that is indented no deeper than the parent, or a list at the parent's own depth. */
function indentedBlock(text: string, parent: RegExpExecArray, start: number): string {
	const lineStart = text.lastIndexOf("\n", parent.index) + 1;
	const lead = text.slice(lineStart, Math.min(parent.index, lineStart + 90));
	const indentation = parent[2] ?? "";
	const outer = lead.length - lead.trimStart().length;
	if (!/^[ \t+-]{0,40}["']?[\w-]{0,40}$/.test(lead)) return "";
	const list = text.startsWith("- ", start + indentation.length);
	if (indentation.length < outer || (indentation.length === outer && !list)) return "";
	return linesStartingWith(list ? `${indentation}- ` : indentation, text, start);
}

function linesStartingWith(lead: string, text: string, start: number): string {
	let end = start;
	while (end < text.length && text.startsWith(lead, end)) {
		const next = text.indexOf("\n", end);
		end = next === -1 ? text.length : next + 1;
	}
	return text.slice(start, end);
}

/** Up to the closing bracket; what is nested deeper is not read. Each is searched for separately, once. */
function bracedBlock(text: string, start: number, opening: string): string {
	const bracket = opening === "{" ? /[{}]/g : /[[\]{}]/g;
	const end = matchAt(bracket, text, start)?.index ?? text.length;
	return text[end] === "{" && opening === "{" ? "" : text.slice(start, end);
}

type ParentKind = KeyClass | "accounts";

function parentKind(parent: string): ParentKind {
	if (/^accounts/i.test(parent)) return "accounts";
	return /passw/i.test(parent) ? "password" : "secret";
}

/** Of accounts, a configuration lists the private keys that sign for them. Their addresses are shorter. */
const ACCOUNT_KEY = /^(?:0x)?[0-9a-f]{64}$/i;

function readChildren(block: string, offset: number, key: ParentKind, opening: string | undefined): Span[] {
	const spans: Span[] = [];
	let position = offset;
	for (const entry of block.split(opening === undefined ? "\n" : /[,\n]/)) {
		const child = CHILD.exec(entry.trimEnd());
		const value = child?.[2] ?? child?.[3];
		// Between brackets a bare word is code.
		const isCode = child?.[2] === undefined && opening !== undefined;
		if (value !== undefined && isChildSecret(child?.[1], value, key, isCode)) {
			const start = position + entry.lastIndexOf(value);
			spans.push({ start, end: start + value.length });
		}
		position += entry.length + 1;
	}
	return spans;
}

function isChildSecret(name: string | undefined, value: string, key: ParentKind, isCode: boolean): boolean {
	if (key === "accounts") return name === undefined && ACCOUNT_KEY.test(value);
	if (name !== undefined && (describesSecret(name) || classifyKey(name) !== "none")) return false;
	if (/[\s()$<>]/.test(value) || !(/\d/.test(value) || isWordChain(value, 4))) return false;
	if (/^[0-9a-f]{32,}$/i.test(value)) return true;
	// A list of `tokens` is as likely what a parser read.
	return isSecretValue(value, isCode || name === undefined ? "weak" : key, "stated");
}

function describesSecret(name: string): boolean {
	const lower = name.toLowerCase();
	return DESCRIBING_ENDINGS.has(lower.replace(/^.*[-_.]/, "")) || lower.includes("public");
}
