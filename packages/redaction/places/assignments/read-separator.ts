import { matchAt } from "@deputize/ground";

/** What is between a name and its value. */
export interface Separator {
	readonly valueStart: number;
	/**
	 * `assign`: `=` or `:` in any spelling. `option`: the gap after `--name`. `element`: `<name>`. `pair`: a name and a
	 * value with labels or quotes of their own. `prose`: `is`. `sentence`: further words, then `is`. `aside`: parentheses in a sentence. `cell`: a table border. `column`: nothing but white space.
	 */
	readonly kind:
		| "assign"
		| "option"
		| "element"
		| "pair"
		| "prose"
		| "sentence"
		| "aside"
		| "cell"
		| "column";
	/** An assignment with white space around its sign. */
	readonly spaced?: boolean;
	/** The value is an argument of a call around it: `password = wrap("…")`. */
	readonly wrapped?: boolean;
}

const CLOSING = String.raw`(?:\\{0,3}["'\`]|&quot;|&#3[49];|%22|\*{1,2}|\]|\?){0,3}`;
const NOTE = String.raw`(?:[ ](?:value|string|text|(?<=[sS]ecret )I[Dd])(?![\w-]))?(?:[ ]?(?:\([^()\n]{0,40}\)|\[[^[\]\n]{0,30}\]|#?\d{1,3}(?=[ \t]{0,2}:)))?`;

/** `: `, ` = `, ` => `, `:=`, `==`, `<-`, `%3D`. */
export const ASSIGNMENT = new RegExp(
	String.raw`${CLOSING}${NOTE}(?:\*{1,2})?([ \t\u00a0]{0,40})\\?(?::=|=>|\uff1d|!?={1,3}|\?=|\+=|\|\|=|\?\?=|::?|\uff1a|\}\{|->|<-|\u2192|\u21d2|\u279c|\.{2,60}[ ]?:|\.{3,60}(?=[ ])|%3[DdAa])(?:\*{1,2})?(\s{0,40}(?=["'\`]|string\()|[ \t\u00a0]{0,40})`,
	"y",
);
/** A type in between: `: string =`; `password As String =`, `password string =`. */
export const TYPED_ASSIGNMENT =
	/(?::[ \t]{0,2}(?:Optional\[|Final\[|&'?[a-z]{0,10} ?)?[A-Za-z_][\w.<>[\]|]{0,30}[ \t?]{0,3}=| (?:As[ \t])?[A-Za-z_][\w.<>[\]*&]{0,30}(?:\(\d{1,4}\))?[ \t]{1,2}:?=)[ \t]{0,3}(?=["'`])/y;
/** A block scalar or a here-document: the value is on the next line. */
export const BLOCK_SCALAR =
	/(?:[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}|<<[-~]?["']?[A-Z]\w{1,20}["']?[ \t]{0,4}\r?\n[ \t]{0,40})/y;
/** What may come before a value and is not part of it: a call, a list, a string prefix, an anchor, a tag. */
export const WRAPPER =
	/(?:string\(\d{1,6}\)[ ]|\[\]byte\(|[A-Za-z_][\w.:]{0,40}\([ \t]{0,2}|\((?:[ \t]{0,4}\r?\n)?[ \t]{0,40}|\[[ \t\r\n]{0,20}|[fFrRbBuULN@$]{1,2})(?=["'`])|&\w{1,40}[ \t]{1,4}|!!?\w{0,20}[ \t]{1,4}(?=["'\w])|\[(?=\w)/y;
/** Calls that give back what they are given. */
export const CONVERSION =
	/^(?:String::from|String|SecretString(?:::from|::new)?|SecretStr|Secret(?:::new)?|Some|Ok|str)\($/;
/** `process.env.X || "…"`, `getenv("X", "…")`: the value that is used when there is no other. */
export const FALLBACK =
	/(?:[\w.?$[\]"'()]{1,80}[ \t]{1,2}(?:\|\||\?\?|or)[ \t]{1,2}|[\w.]{1,40}\([ \t]{0,2}["'][\w.-]{1,60}["'],[ \t]{0,2})(?=["'`])/y;

export const OPTION_GAP = /["']?[ \t]{1,4}(?=[^-\s|&;<>`])/y;
export const PROSE =
	/[\u662f\u4e3a\u70ba\u306f][ ]{0,2}|[`"'*]{0,3}(?: (?:base|value|string|text|for [\w@.'"`-]{1,40}(?: [\w@.'"`-]{1,40})?|of [\w@.'"`-]{1,40}(?: [\w@.'"`-]{1,40})?))?[ \t](?:is|was|are|set|has|been|reset|changed|updated|rotated|now|to|as|will|be|equals|lautet|ist|est|es|jest|\u00e8|\u00e9|\u00e4r)(?: (?:is|was|set|has|been|reset|changed|updated|rotated|now|to|as|be)){0,3}[ \t]?[:=]?[ \t]{1,2}/y;
/** `token for the build:`, `key in our repository:`. */
export const OWNED =
	/[`"'*]{0,3} (?:for|of|in|from|on|at|used by) [\w@.'"`/:-]{1,60}(?: [\w@.'"`-]{1,40}){0,4}[ \t]?[:=][ \t]{1,4}/y;
/** `password for the new staging server is`, `mot de passe du serveur est`. */
export const SENTENCE =
	/[`"'*]{0,3}(?:[ \t][^ \t\r\n\u00a0:=,;!?(){}[\]<>|]{1,40}){1,5}[ \t](?:is|was|ist|lautet|est|es|\u00e8|\u00e9|jest|\u00e4r|er)(?:[ \t](?:now|currently|still|set|reset|changed|to|jetzt|nun|maintenant|ahora)){0,3}[ \t]?:?[ \t]{1,2}(?=\S{8}|["'\u00ab\u201e\u201c])/y;
/** `their key (…) was committed`, `the secret key base (…)`. */
export const PARENTHESIS =
	/[`"'*]{0,3}(?: [a-z]{2,12}){0,4} \((?:i\.?e\.?,? |namely |currently )?(?=[^\s()]{6,400}\))/y;
/** A colon at the end of the line, the value alone on one of the next two. */
export const NEXT_LINE =
	/[^\n:=]{0,60}[:=][ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t]{0,12}(?:- )?(?=[^\s]{8,200}[ \t]{0,4}(?:\r?\n|$))/y;
export const CELL =
	/[`"*]{0,3}[ \t]{0,40}[|\u2502\u2503](?:[ \t]{1,40}|(?<=^[\w.-]{2,60}\|)(?=[^\s|]{8,400}(?:\||\r?\n|$)))/my;
export const COLUMN =
	/[ \t]{0,4}(?:\([^()\n]{1,80}\)[ \t]{0,4}\r?\n)?\r?\n[ \t]{0,12}(?=[^\s:=]{16,200}[ \t]{0,4}(?:\r?\n|$))|[ \t]{1,40}(?:REG_(?:EXPAND_)?SZ[ \t]{1,40})?(?=\S)/y;

/** `"password", "…"`, `{password, "…"}`, and what shells have: `"Api:Key" "…"`. */
export const CALL_ARGUMENT = /(?:\}?\\?["'],[ \t]{0,20}|,[ \t]{1,4}|["'][ \t]{1,4})(?=\\?["'])/y;
/** `setPassword("…")`, `.password("…")`, `expect(token).toBe("…")`. */
export const CALL =
	/\)?(?:\.(?:not\.)?(?:toBe|toEqual|toStrictEqual|toContain|to\.equal|to\.eql|equals|eq))?\([ \t]{0,2}(?=["'`])/y;
/** `get("#password").type("…")`, `fill('input[name="password"]', '…')`, `fill_in "Password", with: "…"`: what a test types into a form. */
export const TYPED_IN =
	/(?:\\?["'`][\])]?){0,3}\)?(?:\.(?:first|clear|click|focus)\(\)){0,2}(?:\.(?:type|fill|send_?keys|sendKeys|set_?[vV]alue|setValue|enter_text|pressSequentially|set|val)\([ \t]{0,2}|,[ \t]{1,4}(?:with:[ \t]{1,4})?)(?=["'`])/y;
export const NAME_VALUE_PAIR =
	/[ \t]{1,4}--(?:value|body|data|secret-string)[ =]|\\?["'`]?,?\s{1,40}(?:[\w-]{1,20}=["'][^"'\n]{0,40}["']\s{1,8}){0,3}(?:- )?\\?["'`]?(?:[A-Za-z]{0,16}[vV]alue|VALUE|content|val|string|default|plaintext|secret)\\?["'`]?\s{0,4}(?:=>|[:=])\s{0,4}/y;
export const VARIABLE_BLOCK =
	/["'] \{\r?\n(?:[^\n}]{0,120}\n){0,4}[ \t]{0,8}default[ \t]{0,8}=[ \t]{0,8}(?=["'])|[ \t]{0,2}\n\[1\] (?=")/y;
export const ELEMENT =
	/(?:\s[\w:.-]{1,30}=["'][^"'<>\n]{0,60}["']){0,4}["']?\s{0,2}(?:>|&gt;)(?:<!\[CDATA\[|\s{0,20}<[vV]alue>)?\s{0,20}(?=[^<\s])|<\/(?:key|name|Key|Name|td|th|dt|b|strong)>\s{0,40}<(?:string|value|Value|td|dd|span|code)(?:\s[\w:.-]{1,30}=["'][^"'<>\n]{0,60}["']){0,4}>(?:<(?:code|string)>)?/y;

export function readSeparator(text: string, keyStart: number, keyEnd: number): Separator | undefined {
	const mayBeElement =
		/<(?:[\w-]{1,20}:)?$/.test(text.slice(Math.max(0, keyStart - 22), keyStart)) ||
		/["'<&]/.test(text.charAt(keyEnd));
	return (
		(mayBeElement ? gap(ELEMENT, "element", text, keyEnd) : undefined) ??
		readAssignment(text, keyEnd) ??
		readGap(text, keyStart, keyEnd)
	);
}

function readAssignment(text: string, keyEnd: number): Separator | undefined {
	const next = text[keyEnd];
	if (next === undefined) return undefined;
	const nextLine = /[ :=]/.test(next) ? gap(NEXT_LINE, "prose", text, keyEnd) : undefined;
	if (nextLine !== undefined) return nextLine;
	const typed = end(TYPED_ASSIGNMENT, text, keyEnd);
	if (typed !== undefined) return unwrap(text, typed, true);
	const match = matchAt(ASSIGNMENT, text, keyEnd);
	if (match === null) return undefined;
	const [whole, before = "", after = ""] = match;
	const valueStart = keyEnd + whole.length;
	// `password :string`, `v-model="password" :rules="…"`: a colon that belongs to what follows it.
	const isLead = before !== "" && after === "" && whole.endsWith(":");
	if (isLead && /\w/.test(text.charAt(valueStart))) return undefined;
	const block = end(BLOCK_SCALAR, text, valueStart);
	if (block !== undefined) return { valueStart: block, kind: "assign", spaced: true };
	return unwrap(text, valueStart, before !== "" || after !== "");
}

function unwrap(text: string, at: number, spaced: boolean): Separator {
	const assign = (valueStart: number, wrapped: boolean): Separator => ({
		valueStart,
		kind: "assign",
		spaced,
		wrapped,
	});
	if (/["'`]/.test(text.charAt(at))) return assign(at, false);
	const fallback = end(FALLBACK, text, at);
	if (fallback !== undefined) return assign(fallback, true);
	const valueStart = end(WRAPPER, text, at) ?? at;
	const wrapper = text.slice(at, valueStart);
	return assign(valueStart, /^\w[^\n]{0,60}\(\s{0,2}$/.test(wrapper) && !CONVERSION.test(wrapper));
}

function readGap(text: string, keyStart: number, keyEnd: number): Separator | undefined {
	for (const [pattern, kind, isPossible] of text[keyStart] === "-" ? GAPS_AFTER_OPTION : GAPS) {
		const separator = gap(pattern, kind, text, keyEnd);
		// The look back is dearer than the look ahead.
		if (separator !== undefined && (isPossible?.(text, keyStart, keyEnd) ?? true)) return separator;
	}
	return undefined;
}

/** `"password", …`, `"Api:Key" …`, `{password, …}`, `{:password, …}`. */
function isQuotedOrAtom(text: string, keyStart: number): boolean {
	const before = text.slice(Math.max(0, keyStart - 60), keyStart);
	return /["'](?:[\w-]{1,40}:|\$\{|\{\{ ?){0,3}$|\{:?$/.test(before);
}

/** `get("#password`, `By.ID, "password`, `getByLabel('Password`, `[name="password`, `fill_in 'Password`. */
function isInSelector(text: string, keyStart: number): boolean {
	const before = text.slice(Math.max(0, keyStart - 60), keyStart);
	return /(?:\(|, ?|fill_in )["'`](?:[\w-]{0,20}\[(?:\w{1,12}=)?\\?["']?|[#.@]|\w{1,10}=)?$/.test(before);
}

/** A command or an expression that prints a secret, and nothing else on the next line. */
export const COMMAND_OUTPUT =
	/[^\n]{0,80}\r?\n(?:=> |Out\[\d{1,4}\]: )?(?=(?:["']?[^\s:"']{8,200}["']?|'[^'\n]{8,200}'|"[^"\n]{8,200}")[ \t]{0,4}(?:\r?\n|$))/y;

function isPrompted(text: string, index: number): boolean {
	const before = text.slice(Math.max(0, index - 160), index);
	const line = before.slice(before.lastIndexOf("\n") + 1);
	return /^[ \t]{0,8}(?:(?:PS )?[\w@:~.\\/()-]{0,40}[$#>%][ ]|>>> |In \[\d{1,4}\]: |(?:kubectl|vault|terraform|tofu|aws|gcloud|az|op|pass|argocd|doctl|bw)[ ])/.test(
		line,
	);
}

/** `{{ .Values.password | quote }}`: a bar in a template is no border of a table. */
function isOutsideTemplate(text: string, index: number): boolean {
	const before = text.slice(Math.max(0, index - 80), index);
	return before.lastIndexOf("{{") <= before.lastIndexOf("}}");
}

/** `setPassword(` and `.password(` take the secret; `createToken(` and `parseKey(` take something else. */
function isSetter(text: string, keyStart: number, keyEnd: number): boolean {
	return (
		text[keyEnd] === ")" ||
		/(?:^|\.)(?:(?:set|with|add|put|use)_?[A-Z_]\w{0,40}|\w{0,20}(?:password|passwd|passphrase))$/i.test(
			text.slice(keyStart, keyEnd),
		)
	);
}

/** A longer one is a line of base64 that happens to contain a name. */
const LONGEST_COLUMN_NAME = 40;

type Gap = readonly [
	pattern: RegExp,
	kind: Separator["kind"],
	isPossible?: (text: string, keyStart: number, keyEnd: number) => boolean,
];

/** In the order in which they are tried. */
const GAPS: readonly Gap[] = [
	[NAME_VALUE_PAIR, "pair"],
	[CALL_ARGUMENT, "pair", isQuotedOrAtom],
	[TYPED_IN, "pair", isInSelector],
	[VARIABLE_BLOCK, "pair"],
	[CALL, "pair", isSetter],
	[PROSE, "prose"],
	[OWNED, "prose"],
	[PARENTHESIS, "aside"],
	[SENTENCE, "sentence"],
	[CELL, "cell", isOutsideTemplate],
	[COMMAND_OUTPUT, "prose", isPrompted],
	[COLUMN, "column", (_text, keyStart, keyEnd) => keyEnd - keyStart <= LONGEST_COLUMN_NAME],
];
const GAPS_AFTER_OPTION: readonly Gap[] = [
	[OPTION_GAP, "option"],
	[NAME_VALUE_PAIR, "pair"],
];

function gap(pattern: RegExp, kind: Separator["kind"], text: string, at: number): Separator | undefined {
	const valueStart = end(pattern, text, at);
	return valueStart === undefined ? undefined : { valueStart, kind };
}

function end(pattern: RegExp, text: string, at: number): number | undefined {
	const match = matchAt(pattern, text, at);
	return match === null ? undefined : at + match[0].length;
}
