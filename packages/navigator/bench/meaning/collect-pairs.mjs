// node packages/navigator/bench/meaning/collect-pairs.mjs NPM_DIRECTORY DEBIAN_DIRECTORY WORDNET_DIRECTORY TOKENIZER_JSON OUTPUT_DIRECTORY
// Writes numbered words for training (train.py) and the list of sources with their licenses.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { splitIdentifier } from "../../code-index/split-identifier.ts";
import { stemWord } from "../../code-index/stem-word.ts";
import { isPermissive, licenseOfDebianPackage, licenseOfNpmPackage } from "./licenses.mjs";
import { readWordNet } from "./read-wordnet.mjs";
import { takePairs } from "./take-pairs.mjs";

const [, , npmDirectory, debianDirectory, wordNetDirectory, tokenizerJson, output] = process.argv;
/** Never trained on: evaluated with, here or by those who wrote the task. Compared with the last part of a name. */
const HELD_OUT = new Set(
	`ws winston hapi axios got nodemon mongoose knex webpack arborist mocha nodemailer avvio find-my-way mercurius light-my-request static
	sonic-boom requests urllib3 click jinja2 flask cobra mux express fastify koa hono undici commander yargs execa pino eslint prettier zod react
	vue next vite rollup jest chalk debug lodash pi minisearch linkedom mammoth yaml dependency-cruiser typebox unpdf turndown readability defuddle
	pi-coding-agent pi-ai pi-agent-core pi-tui hucre highlight.js marked knip vitest diff semver
	chokidar multer cheerio handlebars ioredis passport httpx tornado werkzeug viper gin bbolt walkdir ignore indicatif tar clap`.split(
		/\s+/,
	),
);
const MAX_PAIRS_PER_SOURCE = 900;
const DOC_WORDS = 24;
const CODE_WORDS = 72;
const EXTENSION = /\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php)$/;
const NOT_SOURCE = /\.d\.[cm]?ts$|\.min\.|\.bundle\.|\.umd\./;
const NOT_WALKED = /^(?:\.git|docs?|locales?|i18n|umd|cjs|esm5|min|typings|node_modules|fixtures?)$/;

function* walk(directory, relative = "") {
	for (const entry of readdirSync(join(directory, relative), { withFileTypes: true })) {
		const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
		if (entry.isDirectory()) {
			if (!NOT_WALKED.test(entry.name)) yield* walk(directory, path);
		} else if (entry.isFile() && EXTENSION.test(entry.name) && !NOT_SOURCE.test(entry.name)) yield path;
	}
}

const isHeldOut = (name) => {
	const plain = name
		.replace(/^.*[/+]/, "")
		.replace(/^(?:golang|python3?|librust)-/, "")
		.replace(/-dev$/, "");
	return (
		HELD_OUT.has(plain) ||
		plain
			.split("-")
			.some(
				(part, index, all) =>
					index === all.length - 1 && HELD_OUT.has(part) && all.length > 1 && /^golang/.test(name),
			)
	);
};
const wordsOf = (text) =>
	splitIdentifier(text).filter((word) => word.length > 1 && /^[a-z0-9]+$/.test(word) && word.length < 24);
const pathWords = (path) =>
	wordsOf(path.replace(/\.[a-z.]+$/i, "")).filter(
		(word) =>
			!/^(?:lib|src|dist|source|index|usr|share|gocode|python3|packages|github|com|cargo|registry)$/.test(
				word,
			),
	);
/** Seeded by content, so that the same sources always give the same pairs in the same order. */
const orderOf = (text) => createHash("sha256").update(text).digest("hex");

const sources = [];
const pairs = [];
function addSource(source, directory) {
	const own = new Map();
	for (const path of walk(directory)) {
		const { size } = statSync(join(directory, path));
		if (size > 400_000 || size < 200) continue;
		for (const [doc, code] of takePairs(path, readFileSync(join(directory, path), "utf8"))) {
			const key = doc.slice(0, 80).toLowerCase();
			if (own.has(key)) continue;
			const docWords = wordsOf(doc).slice(0, DOC_WORDS);
			const codeWords = [...pathWords(path).slice(-4), ...wordsOf(code)].slice(0, 260);
			if (docWords.length >= 4 && new Set(codeWords).size >= 6) own.set(key, [docWords, codeWords]);
		}
		if (own.size > MAX_PAIRS_PER_SOURCE * 4) break;
	}
	const kept = [...own]
		.sort(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1))
		.slice(0, MAX_PAIRS_PER_SOURCE)
		.map(([, value]) => value);
	if (kept.length === 0) return;
	sources.push({ ...source, pairs: kept.length });
	for (const [doc, code] of kept) pairs.push([sources.length - 1, doc, code]);
}
for (const entry of readdirSync(npmDirectory).sort()) {
	const found = licenseOfNpmPackage(join(npmDirectory, entry));
	if (found === undefined || isHeldOut(entry.replace("+", "/")) || !isPermissive(found.license)) continue;
	addSource({ from: "npm", ...found }, join(npmDirectory, entry));
}
for (const entry of readdirSync(debianDirectory).sort()) {
	const [name, version] = entry.split("_");
	const license = licenseOfDebianPackage(join(debianDirectory, entry), name);
	if (license === undefined || isHeldOut(name) || !isPermissive(license)) continue;
	addSource({ from: "debian", name, version, license }, join(debianDirectory, entry, "usr"));
}
console.log(sources.length, "sources", pairs.length, "pairs");

const { glosses, synonyms } = readWordNet(wordNetDirectory);
sources.push({
	from: "debian",
	name: "wordnet-base",
	version: "1:3.0-37",
	license: "WordNet",
	pairs: glosses.length,
});
const gloss = glosses
	.map(([meaning, words]) => [wordsOf(meaning).slice(0, DOC_WORDS), words.flatMap(wordsOf).slice(0, 12)])
	.filter(([a, b]) => a.length >= 3 && b.length > 0);

// Words numbered by frequency; 0 is padding. Everything rarer than the table has room for is dropped.
const frequency = new Map();
const count = (words) => {
	for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
};
for (const [, doc, code] of pairs) {
	count(doc);
	count(code);
}
for (const [a, b] of gloss) {
	count(a);
	count(b);
}
const kept = [...frequency]
	.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
	.slice(0, 65_000)
	.map(([word]) => word);
const number = new Map(kept.map((word, index) => [word, index + 1]));
const vocabulary = JSON.parse(readFileSync(tokenizerJson, "utf8")).model.vocab;
function piecesOf(word) {
	const pieces = [];
	for (let start = 0; start < word.length; ) {
		let end = word.length;
		while (end > start && vocabulary[(start > 0 ? "##" : "") + word.slice(start, end)] === undefined)
			end -= 1;
		if (end === start) return [];
		pieces.push(vocabulary[(start > 0 ? "##" : "") + word.slice(start, end)]);
		start = end;
	}
	return pieces.slice(0, 6);
}
const stems = new Map();
const stemNumber = (word) => {
	const stem = stemWord(word);
	if (!stems.has(stem)) stems.set(stem, stems.size + 1);
	return stems.get(stem);
};

mkdirSync(output, { recursive: true });
const pad = (list, width) => [
	...list.slice(0, width),
	...new Array(Math.max(0, width - list.length)).fill(0),
];
const numbers = (words) => words.map((word) => number.get(word) ?? 0).filter((n) => n > 0);
/** Code as distinct words with how often they occur, most frequent first: what the index also has. */
function bag(words) {
	const counts = new Map();
	for (const n of numbers(words)) counts.set(n, (counts.get(n) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1]).slice(0, CODE_WORDS);
}
const doc16 = new Uint16Array(pairs.length * DOC_WORDS);
const code16 = new Uint16Array(pairs.length * CODE_WORDS);
const count8 = new Uint8Array(pairs.length * CODE_WORDS);
const source16 = new Uint16Array(pairs.length);
pairs.forEach(([source, doc, code], row) => {
	source16[row] = source;
	doc16.set(pad(numbers(doc), DOC_WORDS), row * DOC_WORDS);
	bag(code).forEach(([n, times], at) => {
		code16[row * CODE_WORDS + at] = n;
		count8[row * CODE_WORDS + at] = Math.min(times, 255);
	});
});
const gloss16 = new Uint16Array(gloss.length * (DOC_WORDS + 12));
gloss.forEach(([a, b], row) => {
	gloss16.set([...pad(numbers(a), DOC_WORDS), ...pad(numbers(b), 12)], row * (DOC_WORDS + 12));
});
const piece16 = new Uint16Array((kept.length + 1) * 6);
const stem32 = new Uint32Array(kept.length + 1);
const near16 = new Uint16Array((kept.length + 1) * 8);
kept.forEach((word, index) => {
	piece16.set(pad(piecesOf(word), 6), (index + 1) * 6);
	stem32[index + 1] = stemNumber(word);
	near16.set(pad(numbers(synonyms.get(word) ?? synonyms.get(stemWord(word)) ?? []), 8), (index + 1) * 8);
});
const files = { doc16, code16, count8, source16, gloss16, piece16, stem32, near16 };
for (const [name, data] of Object.entries(files)) writeFileSync(join(output, `${name}.bin`), data);
writeFileSync(join(output, "words.json"), JSON.stringify(["", ...kept]));
writeFileSync(
	join(output, "shape.json"),
	JSON.stringify({
		pairs: pairs.length,
		docWords: DOC_WORDS,
		codeWords: CODE_WORDS,
		glosses: gloss.length,
		words: kept.length + 1,
	}),
);
writeFileSync(join(output, "sources.json"), `${JSON.stringify(sources, null, "\t")}\n`);
console.log(
	gloss.length,
	"glosses",
	kept.length,
	"words",
	Object.values(files).reduce((sum, data) => sum + data.byteLength, 0),
	"bytes",
);
