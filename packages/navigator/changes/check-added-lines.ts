import { classifyPath } from "../classify-path.ts";
import type { QuotedPlace } from "../quote-line.ts";
import type { ChangedFile } from "./parse-diff.ts";

export interface LineFinding extends QuotedPlace {
	readonly reason: string;
}

interface LineRule {
	readonly reason: string;
	readonly pattern: RegExp;
	/** By extension; any language when absent. */
	readonly files?: RegExp;
	/** Ordinary in tests. */
	readonly notInTests?: boolean;
	/** The rule reads words in strings and comments too. */
	readonly inText?: boolean;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const PYTHON = /\.pyi?$/;
const GO = /\.go$/;
const RUST = /\.rs$/;

/** Each names a fault that a line shows by itself; what needs a second line or a type is not judged here. */
const RULES: readonly LineRule[] = [
	{ reason: "conflict marker", pattern: /^(?:<{7} |={7}$|>{7} )/, inText: true },
	{ reason: "open note", pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, inText: true },
	{
		reason: "looks like a secret",
		pattern: /(?:password|passwd|secret|token|api_?key)["']?\s*[:=]+\s*["'][^"'\s$<{]{8,}["']/i,
		notInTests: true,
		inText: true,
	},
	{
		reason: "query put together from text",
		pattern:
			/["'`]\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*(?:["'`]\s*\+|["']\s*%\s|\$\{|%[sv]\b)|\bf["'](?:SELECT|INSERT|UPDATE|DELETE)\b.*\{/i,
		inText: true,
	},
	{
		reason: "certificates are not checked",
		pattern:
			/rejectUnauthorized\s*:\s*false|verify\s*=\s*False|InsecureSkipVerify\s*:\s*true|danger_accept_invalid_certs\(true\)/,
	},
	{
		reason: "debug output",
		pattern: /\bdebugger\b|\bconsole\.(?:log|dir|trace|debug)\(/,
		files: SCRIPT,
		notInTests: true,
	},
	{
		reason: "focused or skipped test",
		pattern: /\b(?:describe|it|test|suite)\.(?:only|skip)\(|\bf(?:describe|it)\(|\bxit\(/,
		files: SCRIPT,
	},
	{
		reason: "assignment inside a condition",
		pattern: /\b(?:if|while)\s*\(\s*(?:[\w$.[\]]+\s*(?:&&|\|\|)\s*)?[\w$.[\]>-]+\s=\s[^=].*\)/,
		files: /\.(?:[cm]?[jt]sx?|vue|svelte|java|c|cc|cpp|h|cs|php)$/,
	},
	{
		reason: "condition that ends at once",
		pattern:
			/^\s*(?:\}?\s*else\s+)?(?:if|while|for)\s*\((?!.*\bawait\b)(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*;\s*$/,
		files: /\.(?:[cm]?[jt]sx?|vue|svelte|java|c|cc|cpp|h|hpp|cs|php)$/,
	},
	{
		reason: "runs one past the end",
		pattern:
			/\b(?:for|while)\b.*<=\s*(?:[\w$.]+\.(?:length|Length|Count|size\(\)|len\(\)|length\(\))(?!\s*-)|len\([^()]*\)(?!\s*-)|(?:count|sizeof)\(\$?\w+\)(?!\s*-))|\brange\(\s*(?:0\s*,\s*)?len\([^()]*\)\s*\+\s*1\s*\)|\b0\s*\.\.=\s*[\w.]+\.len\(\)(?!\s*-)/,
	},
	{
		reason: "a text by itself is always true",
		pattern: /[=!]==?\s*["'][^"']*["']\s*(?:\|\||\bor\b)\s*["'][^"']*["']\s*(?:[;):,]|$)/,
		inText: true,
	},
	{
		reason: "a value as the format",
		pattern:
			/\b(?:printf|syslog|vprintf)\(\s*[A-Za-z_][\w[\].>-]*\s*\)|\bfprintf\(\s*\w+\s*,\s*[A-Za-z_][\w[\].>-]*\s*\)/,
		files: /\.(?:c|h|cc|cpp|cxx|hpp|m|mm)$/,
	},
	{
		reason: "writes without a limit",
		pattern: /(?<![\w.>])(?:sprintf|strcpy|strcat|gets)\(/,
		files: /\.(?:c|h|cc|cpp|cxx|hpp|m|mm)$/,
	},
	{
		reason: "weak hash for a password",
		pattern: /\b(?:md5|sha1|MD5|SHA1|hashlib\.(?:md5|sha1))\(?.*passw|passw.*\b(?:md5|sha1|MD5|SHA1)\b/i,
	},
	{
		reason: "nobody can wait for it",
		pattern: /\basync\s+void\s+(?!On[A-Z]|\w+_)\w+\(/,
		files: /\.cs$/,
		notInTests: true,
	},
	{
		reason: "query put together from text",
		pattern: /"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^"]*(?:\$\w|\{\$|#\{)/i,
		files: /\.(?:php|rb|pl|sh)$/,
		inText: true,
	},
	{ reason: "texts compared by identity", pattern: /[!=]=\s*""|""\s*[!=]=/, files: /\.java$/ },
	{
		reason: "value without quotes, which a space or nothing in it changes",
		pattern:
			/^\s*(?:sudo\s+)?(?:rm|rmdir|mv|cp|chmod|chown|cd)\b.*?\s(?:--\s+)?[\w./-]*\$\{?\w|\[\s+(?:!\s+)?(?:-[a-z]\s+)?\$\{?\w/,
		files: /\.(?:sh|bash|ksh|bats)$/,
	},
	{
		reason: "condition that never changes",
		pattern: /\b(?:if|elif)\s*\(?\s*(?:true|false|True|False|0|1)\s*\)?\s*[:{]/,
	},
	{
		reason: "error swallowed",
		pattern: /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)/,
		files: SCRIPT,
	},
	{ reason: "error swallowed", pattern: /^\s*except\b[^:]*:\s*pass\b|^\s*except\s*:/, files: PYTHON },
	{
		reason: "check switched off",
		pattern:
			/@ts-(?:ignore|nocheck)|eslint-disable|biome-ignore|oxlint-disable|#\s*(?:noqa|type:\s*ignore)|\/\/\s*nolint|#!?\[allow\(/,
		inText: true,
	},
	{ reason: "type given up", pattern: /\bas any\b|:\s*any\b(?!\w)/, files: /\.[cm]?tsx?$/ },
	{
		reason: "runs text as code",
		pattern:
			/(?<![\w.])eval\(|\bnew Function\(|\bpickle\.loads?\(|\byaml\.load\((?!.*Loader)|(?<![\w.])exec\(\s*(?:f?["']|\w+\))/,
		files: /\.(?:[cm]?[jt]sx?|pyi?)$/,
	},
	{
		reason: "shell command put together from text",
		pattern:
			/\bexec(?:Sync)?\(\s*`[^`]*\$\{|\bexec(?:Sync)?\(\s*["'][^"']*["']\s*\+|shell\s*=\s*True|os\.system\(|exec\.Command\("(?:sh|bash)",\s*"-c",\s*[^"]/,
	},
	{
		reason: "markup from a value",
		pattern: /\.innerHTML\s*\+?=\s*(?!["'`][^$]*["'`];?$)|dangerouslySetInnerHTML/,
		files: SCRIPT,
	},
	{ reason: "nothing is equal to NaN", pattern: /[!=]==?\s*NaN\b|\bNaN\s*[!=]==?/, files: SCRIPT },
	{
		reason: "no such type name",
		pattern:
			/typeof\s+[\w$.]+\s*[!=]==?\s*["'](?!(?:undefined|object|boolean|number|string|function|symbol|bigint)["'])/,
		files: SCRIPT,
		inText: true,
	},
	{ reason: "nobody waits for these calls", pattern: /\.forEach\(\s*async\b/, files: SCRIPT },
	{
		reason: "guessable random value",
		pattern:
			/(?:token|secret|password|session|nonce|key|salt)\w*\s*=.*(?:Math\.random\(|\brandom\.(?:random|randint|choice)\(|rand\.Int)/i,
	},
	{
		reason: "sorted as text",
		pattern: /\b(?:numbers?|sizes?|counts?|prices?|times?|ids?|ages?|scores?)\w*\.sort\(\s*\)/i,
		files: SCRIPT,
	},
	{
		reason: "default value shared by all calls",
		pattern: /\bdef\s+\w+\(.*=\s*(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\))/,
		files: PYTHON,
	},
	{
		reason: "compared by identity",
		pattern: /\bis\s+(?:not\s+)?(?:["'\d]|\[|\{|\()/,
		files: PYTHON,
		inText: true,
	},
	{ reason: "compared with None by value", pattern: /[!=]=\s*None\b/, files: PYTHON },
	{
		reason: "assertion that is always true",
		pattern: /^\s*assert\s*\(.+,\s*f?["']/,
		files: PYTHON,
		inText: true,
	},
	{ reason: "debug output", pattern: /\bbreakpoint\(\)|\bpdb\.set_trace\(/, files: PYTHON },
	{
		reason: "error dropped",
		pattern: /^\s*_\s*=\s*(?:err\b|[\w.]+\()|^\s*(?:\w+|_),\s*_\s*:?=\s*[\w.]+\(/,
		files: GO,
		notInTests: true,
	},
	{ reason: "error swallowed", pattern: /if\s+err\s*!=\s*nil\s*\{\s*\}/, files: GO },
	{ reason: "error turned into success", pattern: /if\s+err\s*!=\s*nil\s*\{\s*return\s+nil\s*\}/, files: GO },
	{
		reason: "debug output",
		pattern: /\bfmt\.Print(?:ln|f)?\(|(?<![\w.])println\(/,
		files: GO,
		notInTests: true,
	},
	{
		reason: "ends the program when it goes wrong",
		pattern: /\.unwrap\(\)|\.expect\(|\b(?:panic|todo|unimplemented|unreachable)!\(/,
		files: RUST,
		notInTests: true,
	},
	{ reason: "debug output", pattern: /\bdbg!\(/, files: RUST },
	{ reason: "unsafe code", pattern: /\bunsafe\s*(?:\{|fn|impl)/, files: RUST },
	{ reason: "result dropped", pattern: /^\s*let\s+_\s*=\s*[\w.:]+\(.*\)\s*;/, files: RUST },
	{ reason: "panics when it goes wrong", pattern: /\bpanic\(/, files: GO, notInTests: true },
	{
		reason: "compared or combined with itself",
		pattern:
			/(?<![\w$.\])])([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*(?:===?|!==?|<=?|>=?|&&|\|\||-|\band\b|\bor\b)\s*\1(?![\w$.[(])/,
	},
	{ reason: "assigned to itself", pattern: /^\s*([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*=\s*\1\s*;?\s*$/ },
];

/** Checks of single added lines, in code only. Comments and strings count where a rule says so. */
export function checkAddedLines(files: readonly ChangedFile[]): LineFinding[] {
	return files.flatMap(({ path, added }) => {
		const kind = classifyPath(path);
		if (kind !== "source" && kind !== "test" && kind !== "example" && kind !== "declaration") return [];
		const rules = RULES.filter(
			({ files: wanted, notInTests }) =>
				(wanted?.test(path) ?? true) && !(notInTests === true && kind !== "source"),
		);
		return added.flatMap(({ line, text }) => {
			const code = hideTexts(text);
			const rule = rules.find(({ pattern, inText }) => pattern.test(inText === true ? text : code));
			return rule === undefined ? [] : [{ path, line, text, reason: rule.reason }];
		});
	});
}

const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** A star begins the line of a comment only where a line begins: elsewhere it points or multiplies. */
const COMMENT = /(?:^|\s)(?:\/\/|#(?![![{])|\/\*).*$|^\s*\*(?:\s.*|\/.*)?$/;

/** Texts keep their quotes, so that a pattern still sees that there is one. */
export function hideTexts(line: string): string {
	return line.replace(LITERAL, (literal) => `${literal[0]}${literal[0]}`).replace(COMMENT, "");
}
