// node packages/navigator/bench/meaning/pack-table.mjs TABLE.i8 TOKENIZER_JSON OUTPUT
// Puts the trained vectors and the pieces they belong to into the one file that the package ships. Pieces of other
// scripts, unused ones and marks are dropped: the index looks up lower-case Latin words and digits only.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [, , tablePath, tokenizerPath, output] = process.argv;
const table = readFileSync(tablePath);
const [count, width] = new Uint32Array(table.buffer.slice(table.byteOffset, table.byteOffset + 8));
const scales = new Float32Array(table.buffer.slice(table.byteOffset + 8, table.byteOffset + 8 + count * 4));
const values = new Int8Array(table.buffer, table.byteOffset + 8 + count * 4, count * width);
const vocabulary = Object.entries(JSON.parse(readFileSync(tokenizerPath, "utf8")).model.vocab)
	.filter(([piece]) => /^(?:##)?[a-z0-9]+$/.test(piece))
	.sort((a, b) => a[1] - b[1]);
const list = Buffer.from(`${vocabulary.map(([piece]) => piece).join("\n")}\n`);
// Scales are read as 32-bit numbers and must begin at a multiple of four.
const padding = Buffer.alloc((4 - (list.length % 4)) % 4, "\n");
const header = new Uint32Array([vocabulary.length, width, list.length + padding.length]);
const packed = Buffer.concat([
	Buffer.from(header.buffer),
	list,
	padding,
	Buffer.from(Float32Array.from(vocabulary, ([, number]) => scales[number]).buffer),
	...vocabulary.map(([, number]) => Buffer.from(values.subarray(number * width, (number + 1) * width))),
]);
writeFileSync(output, packed);
console.log(
	vocabulary.length,
	"pieces",
	packed.length,
	"bytes",
	createHash("sha256").update(packed).digest("hex"),
);
