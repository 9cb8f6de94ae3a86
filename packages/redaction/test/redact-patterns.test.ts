import { checkSync } from "recheck";
import { describe, expect, it } from "vitest";
import * as control from "../../ground/text/strip-control-sequences.ts";
import { CONTEXT_RULES } from "../find-by-literal.ts";
import * as openEnd from "../find-open-end.ts";
import * as homes from "../hide-homes.ts";
import * as keyClasses from "../judgement/classify-key.ts";
import * as phrases from "../judgement/judge-phrase.ts";
import * as places from "../judgement/judge-place.ts";
import * as harmless from "../judgement/reject-value.ts";
import * as assignments from "../places/assignments/find-assignments.ts";
import * as continuations from "../places/assignments/read-continuation.ts";
import * as separators from "../places/assignments/read-separator.ts";
import * as values from "../places/assignments/read-value.ts";
import * as cookies from "../places/find-cookies.ts";
import * as inserted from "../places/find-inserted-secrets.ts";
import * as kubernetes from "../places/find-kubernetes-secrets.ts";
import * as labelled from "../places/find-labelled-values.ts";
import * as nested from "../places/find-nested-secrets.ts";
import * as recoveryCodes from "../places/find-recovery-codes.ts";
import * as tables from "../places/find-table-secrets.ts";
import { sanitizeOutput } from "../sanitize-output.ts";
import * as encoded from "../shapes/find-encoded-secrets.ts";
import * as privateKeys from "../shapes/find-private-keys.ts";
import * as structures from "../shapes/find-structures.ts";
import * as broken from "../shapes/match-broken-shape.ts";
import * as shapes from "../shapes/match-token-shape.ts";
import * as traces from "../shorten-stack-traces.ts";

function exportedPatterns(): [string, RegExp][] {
	const modules = {
		continuations,
		keyClasses,
		assignments,
		broken,
		cookies,
		encoded,
		inserted,
		labelled,
		kubernetes,
		nested,
		openEnd,
		phrases,
		places,
		privateKeys,
		recoveryCodes,
		tables,
		shapes,
		separators,
		values,
		harmless,
		traces,
		homes,
		control,
	};
	return [
		...Object.entries(modules).flatMap(([module, content]) =>
			Object.entries(content).flatMap(([name, value]): [string, RegExp][] =>
				value instanceof RegExp ? [[`${module}.${name}`, value]] : [],
			),
		),
		...shapes.TOKEN_SHAPES.map(({ kind, pattern }): [string, RegExp] => [`shape ${kind}`, pattern]),
		...CONTEXT_RULES.map(({ kind, pattern }): [string, RegExp] => [`rule ${kind}`, pattern]),
		...CONTEXT_RULES.flatMap(({ kind, follows }): [string, RegExp][] =>
			follows === undefined ? [] : [[`after the literal of ${kind}`, follows]],
		),
		...structures.STRUCTURE_RULES.map(({ kind, pattern }): [string, RegExp] => [
			`structure ${kind}`,
			pattern,
		]),
	];
}

/** Open-ended repetition. `(?<!…)` and classes are taken out first, so that `[*+]` does not count. */
function isBounded({ source }: RegExp): boolean {
	const bare = source.replace(/\\./gs, "x").replace(/\[(?:\\.|[^\]])*\]/gs, "y");
	return !/[*+]|\{\d+,\}/.test(bare);
}

const patterns = exportedPatterns();

describe("redaction patterns", () => {
	it("has a few hundred of them", () => {
		expect(patterns.length).toBeGreaterThan(250);
	});

	it.each(patterns)("%s repeats nothing without a bound", (_, pattern) => {
		expect(isBounded(pattern), pattern.source).toBe(true);
	});

	it("has none that recheck finds a way to slow down", () => {
		const vulnerable = patterns.flatMap(([name, { source, flags }]) => {
			const verdict = checkSync(source, flags.replace(/[ydg]/g, ""), {
				timeout: 20_000,
				checker: "automaton",
			});
			return verdict.status === "vulnerable" ? [`${name}: ${verdict.complexity.summary}`] : [];
		});
		expect(vulnerable).toEqual([]);
	}, 600_000);
});

/**
 * Much of what each rule begins with. Where every position is read to the end of the text, this takes longer than the limit,
 * which is forty times what the slowest takes; a larger text would only take longer. Speeds are in the reference page.
 */
const CHARACTERS = 250_000;
const HANG_MS = 10_000;
const shapesOfAttack = [
	"a",
	"A1",
	"=",
	":",
	'"',
	"'",
	"\\",
	"{",
	"<",
	"%",
	" ",
	"\n",
	"-",
	"_",
	".",
	"/",
	"@",
	"$",
	"*",
	"|",
	"password=",
	"password: ",
	"password ",
	'token="',
	"key=",
	"API_KEY=x1",
	"--password ",
	"?sig=",
	"sk-",
	"eyJ-",
	"eyJa.eyJb.",
	"AKIA1234567890123456 ",
	"-----BEGIN RSA PRIVATE KEY-----",
	"-----END RSA PRIVATE KEY-----\n",
	"://a:",
	"http://a:b@",
	"curl -u a:",
	"curl ",
	"mysql -p",
	"Authorization: Bearer ",
	"cookie: a=",
	"identified by ",
	"login a password ",
	"echo a|",
	'"auth": "a',
	"kind: Secret\ndata:\n a: ",
	'"data":{',
	"Private-Lines: 9\n",
	"LS0tLS1CRUdJTi",
	"name: password\nvalue: ",
	"<password ",
	"password:\n",
	"\u001b]0;",
	"a\b",
	"\n    at x\n",
	"aaaaQ~",
	"0123456789:AA",
	"?key=",
	"%3A%2F%2Fa%3A",
	"a:b@tcp(",
	"config set key ",
	'auth("a","',
	"密码：",
	"[REDACTED]",
	"M",
	"123456789012345|",
	'variable "token" {\n',
	'"token": "a", ',
	"secrets:\n a: ",
	"tokens: {",
	"tokens:\n- ",
	'form-data; name="password"\n',
	'"a1b2c3d4e5" +\n',
	"password,",
	"a,password,b\n",
	"NAME  PASSWORD  AGE\n",
	"insert into a (password) values (",
	"insert into a (password) values ('x1y2z3w4'),(",
	'secret = "a" + ',
	'ghp_a" + "',
	"sk-abc\n",
	"password (a1b2c3d4)",
	'"kty" "d":"',
	"the password is ",
	"key in the ",
	"password of the server is ",
	"recovery phrase\n",
	"recovery phrase: legal winner ",
	"recovery codes: ",
	"recovery codes: a1b2c-d3e4f ",
	"login code for ",
	"otp for a b ",
	"accounts: [",
	"password，",
	"password: a b ",
	"password: Aa1 bb cc\n",
	'"password=a b ',
	"user: a password: b c\n",
	"Enter passphrase for a: b c ",
	"$ pass a/b\nc d ",
	"PIN ",
	"sessionid=",
	'createUser a SHA "',
];

describe("a long adversarial text", () => {
	it.each(shapesOfAttack)(
		"of %j is read to its end",
		(shape) => {
			const text = shape.repeat(Math.ceil(CHARACTERS / shape.length));
			expect(sanitizeOutput(text, { deadlineMs: HANG_MS })).not.toContain("(text withheld");
		},
		2 * HANG_MS,
	);
});
