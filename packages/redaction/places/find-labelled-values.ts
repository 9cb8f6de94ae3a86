import { matchAt } from "@deputize/ground";
import { type Detector, inAnyCase, readingFrom } from "../detector.ts";
import { isSecretValue } from "../judgement/check-value.ts";
import { classifyKey } from "../judgement/classify-key.ts";
import type { ValueContext } from "../judgement/value-context.ts";
import type { Span } from "../spans.ts";
import { isCookieSecret } from "./find-cookies.ts";

/** `"value": "…"`, `value: …`, `ParameterValue: …`, `<value>…`, `Value='…'`: a field that says nothing about what it contains. */
export const VALUE_FIELD =
	/(?:["'<_ \t]|parameter)value\\{0,3}["']?(?:[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}|[ \t]{0,2}>[ \t\r\n]{0,40}(?:<\w{1,12}>)?)(?:\\{0,3}["']([^"'\\\r\n]{4,4096})|([^\s"',{}[\]<>#|&*!][^\s"',{}[\]<>]{3,4096}))/iy;
/** The name of the same entry, before or after its value. */
export const NAME_FIELD =
	/(?:^|[^A-Za-z])(?:parameter|option|field|env|variable|secret|setting|header|cookie)?_?-?(?:name|key|designation|field|variable|option|ref)\\{0,3}["']?(?:[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}\\{0,3}["']?|[ \t]{0,2}>[ \t]{0,4})([A-Za-z_$/.@][\w$/.@: -]{0,80}?)(?:\\{0,3}["']|[ \t]{0,4}(?:[,\r\n<;}]|$))/gi;
/** What systems call an entry whose value nobody should see. */
export const SECRET_ENTRY =
	/(?:secure_?string|(?:type|kind)\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?(?:secret|password|concealed|secureobject)|(?:is_?)?(?:sensitive|secret|secured|protected|masked|encrypted|concealed)\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?true)/i;
/** An object that has a secret's name: `"db_password": { "sensitive": true, "value": … }`. */
export const PARENT_NAME = /(?<![\w.-])([\w.-]{2,60})["']?[ \t]{0,4}[:=]?[ \t]{0,4}$/;

/** Nobody gives a label such a name. */
const CONSTANT = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/;

const REACH = 400;

/** Pairs of a name and a value in two fields, in either order: HAR, browser storage, task definitions, parameters, settings. */
export const LABELLED_VALUES: Detector = {
	literals: inAnyCase([
		'"value',
		"'value",
		"<value",
		" value:",
		" value=",
		" value =",
		"	value:",
		"_value:",
		"parametervalue:",
	]),
	find: readingFrom(readLabelledValue),
};

function readLabelledValue(text: string, index: number, spans: Span[]): number {
	const field = matchAt(VALUE_FIELD, text, index);
	const value = field?.[1] ?? field?.[2];
	if (field === null || value === undefined || (field[2] !== undefined && !/\d/.test(value))) return index;
	const end = index + field[0].length;
	if (!isLabelledSecret(text, index, end, value, field[1] === undefined ? "stated" : "certain")) return index;
	spans.push({ start: end - value.length, end });
	return end;
}

function isLabelledSecret(
	text: string,
	index: number,
	end: number,
	value: string,
	proof: ValueContext,
): boolean {
	// Cheapest first: what no name could make a secret.
	if (!isSecretValue(value, "password", "certain", "literal")) return false;
	const before = entryBefore(text.slice(Math.max(0, index - REACH), index));
	const after = entryAfter(text.slice(end, end + REACH));
	const name = nameInLabel(before, -1) ?? nameInLabel(after, 0) ?? parentIn(before);
	if (name === undefined) return false;
	const keyClass = classifyKey(name.replace(/^.*[/:]/, ""));
	if (SECRET_ENTRY.test(before) || SECRET_ENTRY.test(after))
		return isSecretValue(value, keyClass === "password" ? "password" : "secret", proof, "literal");
	if (keyClass === "secret" && /\s/.test(value))
		return /secret/i.test(name) && isSecretValue(value, "password", "quoted");
	if (keyClass === "password" || keyClass === "secret")
		return isSecretValue(value, keyClass, CONSTANT.test(name) ? "certain" : "quoted", "literal");
	return isSessionName(name) && isCookieSecret(name, value);
}

/** In a list of cookies or headers; a session of a program has an identifier as well. */
function isSessionName(name: string): boolean {
	return (
		/sess(?:ion)?_?id$|sid$|^__(?:host|secure)-|csrf|xsrf|auth|token|jwt|remember|_session$|^session$|^sess/i.test(
			name,
		) && !/[ ]/.test(name)
	);
}

/** The part that belongs to the same entry: after the last one that ended, or after the line that began a list's item. */
function entryBefore(text: string): string {
	const cut = Math.max(
		text.lastIndexOf("}"),
		lastItem(text),
		text.lastIndexOf("/>"),
		text.lastIndexOf("</member>"),
	);
	const paragraph = [...text.matchAll(/\n[ \t]{0,40}\r?\n/g)].at(-1)?.index ?? -1;
	return text.slice(Math.max(cut, paragraph) + 1);
}

function lastItem(text: string): number {
	const at = text.lastIndexOf("- ");
	return at !== -1 && /(?:^|\n)[ \t]{0,40}$/.test(text.slice(Math.max(0, at - 42), at)) ? at : -1;
}

function entryAfter(text: string): string {
	const end = text.search(/[{}]|\/>|<\/(?:member|property|add)>|\n[ \t]{0,40}- |\n[ \t]{0,40}\r?\n/);
	return end === -1 ? text : text.slice(0, end);
}

function nameInLabel(entry: string, at: number): string | undefined {
	return [...entry.matchAll(NAME_FIELD)].at(at)?.[1];
}

function parentIn(entry: string): string | undefined {
	const brace = entry.lastIndexOf("{");
	return brace === -1 ? undefined : PARENT_NAME.exec(entry.slice(Math.max(0, brace - 72), brace))?.[1];
}
