import { escapePattern } from "@deputize/ground";
import { hasRandomLetters } from "./check-randomness.ts";
import { ORDINARY_WORDS, REFERENCE_BEGINNINGS } from "./words/word-lists.ts";

/**
 * Values after a secret name that are no secrets: a reference to one, a mask, a placeholder, a type,
 * a place. Every pattern is anchored at both ends or a plain literal, and sees at most the first few hundred characters.
 */
export function isHarmlessValue(value: string, form: WrittenAs = "bare"): boolean {
	return (
		isReference(value) ||
		MASK.test(value) ||
		PLACEHOLDER.test(value.slice(0, 120)) ||
		ORDINARY_WORDS.has(value.toLowerCase()) ||
		isPlace(value) ||
		MEASURE.test(value) ||
		VALIDATION_RULES.test(value) ||
		CODE.test(value) ||
		(form === "literal" && isUnlikeCode(value) ? SPOKEN_CALL.test(value) : BARE_CODE.test(value)) ||
		KEY_CHORD.test(value) ||
		KNOWN_FORMAT.test(value)
	);
}

/** `literal`: in quotes or in an element, where brackets are ordinary characters. */
export type WrittenAs = "literal" | "bare";

/** Code in a string (`"getPassword()"`) reads like words. */
function isUnlikeCode(value: string): boolean {
	return /\d/.test(value) || hasRandomLetters(value);
}

/** Variables, templates, placeholders of deployment tools, and names of things that are looked up. */
export const REFERENCE = new RegExp(
	[
		String.raw`^\$\{?\{?[A-Za-z_][\w.:[\]-]{0,80}\}{0,2}$`,
		String.raw`^\$[\d@*#?!$]?$`,
		String.raw`^\$[({]`,
		String.raw`^\$[A-Za-z_]\w{0,60}[/\\:.-]`,
		String.raw`^\{\{`,
		String.raw`^\{[A-Za-z_][\w.]{0,60}\}$`,
		String.raw`^%[A-Za-z_]\w{0,60}%$`,
		String.raw`^%\(?\w{0,40}\)?[sdvq]$`,
		String.raw`^@?#?\{[^}]{0,80}\}$`,
		String.raw`^:[a-z_]{2,40}$`,
		String.raw`^@[A-Za-z_][\w.]{2,60}$`,
		String.raw`^!(?:Ref|Sub|GetAtt|ImportValue|reference|vault|secret|env)\b`,
		String.raw`^(?:[aA][rR][nN]|[uU][rR][nN]|op|vault|ref\+\w{2,20}|secretref|secretsmanager|ssm|keyvault|awssm|gcpsm|secret|env|file|data|spiffe|azurekeyvault|bws|pass):`,
		`^(?:${[...REFERENCE_BEGINNINGS].map(escapePattern).join("|")})`,
		String.raw`^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,12}$`,
		String.raw`^[A-Za-z_]\w{0,40}(?:::[A-Za-z_]\w{0,60}){1,6}$`,
		String.raw`^__\w{1,60}__$`,
		String.raw`^(?:[A-Z][A-Z_]{2,40}|[\w.-]{0,20}(?:key|token|password|secret))=`,
	].join("|"),
);

function isReference(value: string): boolean {
	return REFERENCE.test(value) || value.includes("${") || value.includes("{{") || value.includes("#{");
}

/** Stars, dots, one repeated character, and the words that replace a removed value. */
export const MASK = new RegExp(
	[
		String.raw`^[*•●·.…xX_?#~=+\s-]{1,400}$`,
		String.raw`^.{0,12}(?:\*{3}|•{3}|…|\.{3}|[xX]{5}|\[\.\.\.\])`,
		String.raw`(?:\.{3}|…)$`,
		String.raw`^(.)\1{3,400}$`,
		String.raw`^\W{0,3}(?:[rR]edacted|REDACTED|[mM]asked|[hH]idden|[fF]iltered|FILTERED|[rR]emoved|[oO]mitted|[wW]ithheld|[sS]ensitive|[sS]crubbed|[oO]bfuscated|[cC]ensored|[sS]ecret)\W{1,3}$`,
		String.raw`^\(?(?:sensitive|redacted|hidden|known after apply|set|unset|not set|masked|encrypted)(?![\w-])`,
		String.raw`^\[REDACTED\]`,
	].join("|"),
	"s",
);

/** What a placeholder is a placeholder for. */
const THING = "(?:api|key|token|secret|password|passwd|pass|pwd|credential|value|id|string|name|url)s?";
const ASKING =
	"(?:your|some|any|the|our|an?|insert|enter|put|add|paste|replace|choose|use|set|type|provide|fill|input)";

/** `<token>`, `my-api-key`, `your password here`, `changeme`, `example`. */
export const PLACEHOLDER = new RegExp(
	[
		"^<[^>]{0,80}>?$|^&lt;",
		String.raw`^\[[A-Za-z][\w -]{1,60}\]$`,
		`^my[-_ ](?:[a-z]{2,20}[-_ ]){0,5}${THING}$`,
		"^my(?:api|secret|access|auth)?(?:key|token|secret|password|pass)$",
		String.raw`^${ASKING}[-_ ](?:[a-z]{2,20}[-_ ]){0,5}(?:${THING}|(?:here|me|this|it|own|one)s?)(?:[-_ ]?(?:here|value|goes|\d{1,3})){0,3}$`,
		"^your|(?:^|[-_ ])your(?:[-_ ]|[A-Z])",
		"change[-_ ]?(?:me|this|it)(?![a-z0-9])",
		"replace[-_ ]?(?:me|this|with)|place[-_ ]?holder",
		"(?:^|[-_. ])(?:example|sample|dummy|fake|todo|fixme|tbd|foobar|foo|lorem)(?:[-_. ]|$)",
		"^(?:test|example|sample|dummy|fake|mock)[-_]?(?:api|access|auth)?[-_]?(?:key|token|secret|password|pass|value)?$",
		"(?:key|token|secret|password|goes)[-_ ]?here",
		"example(?:key)?$",
	].join("|"),
	"i",
);

/** Addresses, files, mail addresses, hosts with a port. */
export const PLACE = new RegExp(
	[
		String.raw`^[a-zA-Z][a-zA-Z0-9+.-]{0,20}:\/\/`,
		String.raw`^\/?[\w@~.-]{1,80}(?:\/[\w@~.-]{1,80}){0,20}\.(?:pem|key|crt|cer|p12|pfx|jks|jsonl?|txt|ya?ml|toml|ini|env|js|mjs|cjs|ts|tsx|jsx|py|rb|go|rs|java|kt|php|sh|html?|css|md|xml|conf|cfg|sql|lock|svg|png|log|c|h|cpp|vue|properties)(?::\d{1,7}){0,2}$`,
		String.raw`^[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){0,3}\.[a-z]{2,24}$`,
		String.raw`^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?:\/\d{1,2})?$`,
		String.raw`^(?:localhost|[\w-]{1,40}(?:\.[\w-]{1,40}){1,5}):\d{2,5}$`,
	].join("|"),
	"i",
);
export const PATH =
	/^(?:\.{1,2}|~|@[\w-]{1,40}|[A-Za-z]:)?[\\/][\w.@~ ()[\]*-]{0,80}(?:[\\/][\w.@~ ()[\]*-]{0,80}){0,30}$/;

function isPlace(value: string): boolean {
	// A letter that was written as its number is no path.
	if (/^\\u[0-9a-f]{4}/i.test(value)) return false;
	return PLACE.test(value) || (/[\\/]/.test(value.slice(0, 44)) && PATH.test(value) && looksLikePath(value));
}

/** Base64 may start with a slash too; a path has a plain word in it and no long stretch of mixed characters. */
function looksLikePath(value: string): boolean {
	const segments = value.split(/[\\/]/).filter((segment) => segment !== "");
	return (
		segments.every((segment) => segment.length < 24 || /^[a-z._-]+$/i.test(segment)) &&
		!/[A-Z].*\d.*[a-z].*\d/.test(segments.at(-1) ?? "")
	);
}

/** Durations, sizes, versions, dates, colors, short numbers. */
export const MEASURE = new RegExp(
	[
		String.raw`^[-+]?\d[\d.,_]{0,4}$`,
		String.raw`^\d{1,5}(?:[kmgt]i?b?|ms|s|h|d|px|r?em|%|bits?|bytes?|chars?|min|sec|hours?|days?|minutes?|seconds?|tokens?)$`,
		String.raw`^v?\d{1,6}(?:\.\d{1,6}){1,4}(?:-[\w.]{1,24})?$`,
		String.raw`^\d{4}-\d{2}-\d{2}(?:[T ][\d:.Z+-]{0,24})?$`,
		String.raw`^#[0-9a-f]{3,8}$`,
		String.raw`^0x[0-9a-f]{1,8}$`,
	].join("|"),
	"i",
);

/** `required|string|min:8`: what a form asks of a value. */
export const VALIDATION_RULES =
	/^(?:[a-z_]{2,30}(?::[\w,.]{1,40})?\|){0,12}(?:required|nullable|sometimes|string|confirmed|bail|(?:min|max):\d{1,4})(?:\|[a-z_]{2,30}(?::[\w,.]{1,40})?){1,12}$/;

/** A call or an index, and a negation, of what is named by a path of identifiers. */
export const BARE_CODE = new RegExp(
	[
		String.raw`\(\)`,
		String.raw`^[A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}){0,6}[([]`,
		String.raw`^!{1,2}[A-Za-z_$][\w$]{0,60}(?:[.([]|$)`,
	].join("|"),
	"s",
);

/** `fetchToken2(user)`: a whole call, of words that end in a digit at most. */
export const SPOKEN_CALL =
	/^(?:[a-z_$][A-Za-z_$]{2,40}\d{0,2}\.){0,4}[A-Za-z_$]{3,40}\d{0,2}\((?:["'\w.$ -]{1,40}(?:, ?["'\w.$ -]{1,40}){0,6})?\);?$/;

const MODIFIER =
	"(?:ctrl|control|alt|shift|cmd|command|meta|super|win|option|opt|mod|hyper|fn|cmdorctrl|commandorcontrol)";
const NAMED_KEY =
	"(?:enter|return|esc|escape|tab|space|backspace|delete|del|insert|home|end|page(?:up|down)|(?:arrow)?(?:up|down|left|right)|plus|minus|comma|period|slash|f[0-9]{1,2})";
const CHORD = `(?:${MODIFIER}[+-]){1,4}(?:${NAMED_KEY}|[^\\s])`;
/** `ctrl+alt+b`, `cmd+k cmd+b`: what people press. */
export const KEY_CHORD = new RegExp(`^${CHORD}(?:[ ,]{1,2}${CHORD}){0,3}$`, "i");

/** Arrows, keywords and regular expressions. */
export const CODE = new RegExp(
	[
		String.raw`=>|\\[wdsSbDW]|\[\^|\(\?[:=!<]|\[a-z|\[A-Z|\[0-9|a-zA-Z|A-Za-z|a-z0-9|A-Z0-9`,
		String.raw`^\/.{1,200}\/[dgimsuvy]{1,8}$`,
		String.raw`^[A-Za-z_]\w{0,40}=(?:[Tt]rue|[Ff]alse|None|null)$`,
		String.raw`^\+[ ]?[a-z][A-Za-z_.]{0,30}$`,
		String.raw`^(?:Ui|I)nt\d{1,2}(?:Clamped)?Array`,
		String.raw`^(?:function|async|await|new|return|typeof|lambda)\s`,
	].join("|"),
	"s",
);

/** Digests and public material with their own label. */
export const KNOWN_FORMAT =
	/^(?:(?:sha|SHA)(?:1|256|384|512)[-:]|(?:md|MD)5[-:]|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-|-----BEGIN (?:CERTIFICATE|PUBLIC|RSA PUBLIC)|data:[a-z]{1,20}\/|var\(|rgba?\(|calc\(|LS0tLS1CRUdJTiBDRVJUSUZJQ0FUR|LS0tLS1CRUdJTiBQVUJMSUMg|age1[a-z0-9]{50}|pk_(?:live|test)_|AC[0-9a-f]{32}$|pk\.eyJ|sb_publishable_|phc_)/;
