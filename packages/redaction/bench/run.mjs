// Measures redaction and writes the figures into docs/reference/redaction.md.
//   node packages/redaction/bench/run.mjs            measure and print
//   node packages/redaction/bench/run.mjs --write    also replace the figures in the reference page
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAssortedPositives } from "../fixtures/corpus-assorted.ts";
import { buildCrossedPositives } from "../fixtures/corpus-crossed.ts";
import {
	buildFamilyLookAlikes,
	buildFamilyPositives,
	buildLabelLookAlikes,
	buildPhrasePositives,
	buildSentencePositives,
	buildUnseenLookAlikes,
	buildUnseenPositives,
} from "../fixtures/corpus-families.ts";
import { buildFormatPositives } from "../fixtures/corpus-formats.ts";
import { buildFreshPositives } from "../fixtures/corpus-fresh.ts";
import { buildHandwrittenPositives } from "../fixtures/corpus-handwritten.ts";
import { buildPlacesLookAlikes, buildPlacesPositives } from "../fixtures/corpus-places.ts";
import { buildTranscriptPositives } from "../fixtures/corpus-transcripts.ts";
import { buildLookAlikes } from "../fixtures/look-alikes.ts";
import { buildCrossedLookAlikes } from "../fixtures/look-alikes-crossed.ts";
import { sanitizeOutput } from "../sanitize-output.ts";
import { scoreLookAlikes, scorePositives } from "./score.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const sanitize = (text) => sanitizeOutput(text, { home: "", deadlineMs: 120_000 });
const percent = (share) => `${(100 * share).toFixed(2)} %`;

function recall() {
	const seeds = [21, 22, 23];
	const total = (build) => seeds.map((seed) => scorePositives(build(seed), sanitize));
	const rows = [
		["known forms and names", total(buildFormatPositives)],
		["what programs print", total(buildTranscriptPositives)],
		["assorted places", total(buildAssortedPositives)],
		["every kind in every place", total(buildCrossedPositives)],
		["many places, many forms", total(buildPlacesPositives)],
		["one hundred fresh ones", total(buildFreshPositives)],
		["families of places", total(buildFamilyPositives)],
		["sentences in many languages", total(buildSentencePositives)],
		["phrases and passwords with dots", [scorePositives(buildPhrasePositives(21), sanitize)]],
		["an unseen corpus", [scorePositives(buildUnseenPositives(21), sanitize)]],
		["values made up by hand", [scorePositives(buildHandwrittenPositives(), sanitize)]],
	];
	return rows.map(([name, scores]) => {
		const cases = scores.reduce((sum, score) => sum + score.total, 0);
		const missed = scores.reduce((sum, score) => sum + score.missed.length, 0);
		return `| recall, ${name} | ${percent(1 - missed / cases)} | ${cases - missed} of ${cases}${scores.length > 1 ? ", three seeds" : ""}; missed means that ten characters in a row of the secret are left |`;
	});
}

function falsePositives() {
	const scores = [21, 22, 23].map((seed) =>
		scoreLookAlikes(
			[
				...buildLookAlikes(seed),
				...buildCrossedLookAlikes(seed),
				...buildPlacesLookAlikes(seed),
				...buildFamilyLookAlikes(),
				...buildLabelLookAlikes(),
				...buildUnseenLookAlikes(),
			],
			sanitize,
		),
	);
	const cases = scores.reduce((sum, score) => sum + score.total, 0);
	const changed = scores.reduce((sum, score) => sum + score.missed.length, 0);
	return `| look-alikes changed | ${percent(changed / cases)} | ${changed} of ${cases}, three seeds |`;
}

const SOURCE = /\.(?:[mc]?[jt]sx?|json|md|css|html|ya?ml|py|h)$/;
const MAXIMUM_FILE_BYTES = 3_000_000;
/** Minified and generated files have very long lines. */
const MAXIMUM_MEAN_LINE = 300;

function* sourceTexts(directory) {
	for (const entry of readdirSync(directory, { withFileTypes: true })) {
		const path = join(directory, entry.name);
		if (entry.isDirectory()) yield* sourceTexts(path);
		else if (
			entry.isFile() &&
			SOURCE.test(entry.name) &&
			!entry.name.includes(".min.") &&
			statSync(path).size < MAXIMUM_FILE_BYTES
		) {
			const text = readFileSync(path, "utf8");
			if (text.length / text.split("\n").length <= MAXIMUM_MEAN_LINE) yield text;
		}
	}
}

function realSource() {
	let characters = 0;
	let redactions = 0;
	for (const text of sourceTexts(join(root, "node_modules"))) {
		characters += text.length;
		redactions += sanitize(text).split("[REDACTED]").length - text.split("[REDACTED]").length;
	}
	const megabytes = characters / 1e6;
	return `| redactions in real source | ${(redactions / megabytes).toFixed(2)} per MB | ${redactions} in ${megabytes.toFixed(0)} MB of \`node_modules\`, minified files left out; nearly all are credentials in documentation examples |`;
}

function cpuMs(work) {
	const before = process.cpuUsage();
	work();
	const used = process.cpuUsage(before);
	return (used.user + used.system) / 1000;
}

function speed() {
	const files = [
		"node_modules/typescript/lib/lib.dom.d.ts",
		"node_modules/vite/dist/node/chunks/node.js",
		"node_modules/undici/README.md",
		"package-lock.json",
	];
	const text = files
		.map((file) => readFileSync(join(root, file), "utf8"))
		.join("\n")
		.slice(0, 4_000_000);
	sanitize(text);
	const best = Math.min(...Array.from({ length: 5 }, () => cpuMs(() => sanitize(text))));
	return `| ordinary text | ${(text.length / 1e3 / best).toFixed(0)} MB/s | ${(text.length / 1e6).toFixed(1)} MB of declarations, code, prose and a lockfile; processor time, best of five |`;
}

const ATTACKS = [
	"a",
	"A1",
	"=",
	'"',
	"\\",
	" ",
	"\n",
	"password=",
	"password: ",
	"key=",
	"API_KEY=",
	"API_KEY=x1",
	"?key=",
	"?sig=",
	"sk-",
	"eyJ-",
	"AKIA1234567890123456 ",
	"-----BEGIN RSA PRIVATE KEY-----",
	"-----END RSA PRIVATE KEY-----\n",
	"://a:",
	"http://a:b@",
	"curl -u a:",
	"curl ",
	"Authorization: Bearer ",
	"cookie: a=",
	"kind: Secret\ndata:\n a: ",
	"LS0tLS1CRUdJTi",
	"\u001b]0;",
	"a\b",
	"\n    at x\n",
	"aaaaQ~",
	"config set key ",
	"密码：",
	"[REDACTED]",
	'"token": "a", ',
	"auth ",
	"secret ",
	"password ",
	"密码：abc12345 ",
	"password (a1b2c3d4)",
	"a,password,b\n",
	"insert into a (password) values ('x1y2z3w4'),(",
	'ghp_a" + "',
];

function adversarial() {
	const times = ATTACKS.map((attack) => {
		const text = attack.repeat(Math.ceil(1e6 / attack.length));
		return { attack, ms: cpuMs(() => sanitize(text)) };
	}).sort((left, right) => right.ms - left.ms);
	const slowest = times
		.slice(0, 3)
		.map(({ attack, ms }) => `\`${JSON.stringify(attack)}\` ${ms.toFixed(0)} ms`);
	const middle = times[Math.floor(times.length / 2)].ms;
	return `| 1 MB of one thing repeated | ${times[0].ms.toFixed(0)} ms at most | ${times.length} shapes, processor time; slowest: ${slowest.join(", ")}; median ${middle.toFixed(0)} ms |`;
}

const rows = [
	"| Measure | Figure | How |",
	"|---|---|---|",
	...recall(),
	falsePositives(),
	realSource(),
	speed(),
	adversarial(),
];
console.log(rows.join("\n"));

if (process.argv.includes("--write")) {
	const page = join(root, "docs/reference/redaction.md");
	const text = readFileSync(page, "utf8");
	writeFileSync(
		page,
		text.replace(/(<!-- figures -->)[\s\S]*?(<!-- \/figures -->)/, `$1\n${rows.join("\n")}\n$2`),
	);
}
