import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asObject } from "@deputize/ground";
import { createTokenizer } from "./tokenize-text.ts";

/** Makes one vector of each text. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** What is used of ONNX Runtime. */
interface OnnxRuntime {
	readonly env: {
		readonly wasm: { numThreads: number; wasmPaths: string; wasmBinary: Uint8Array | undefined };
	};
	readonly InferenceSession: { create(model: Uint8Array): Promise<OnnxSession> };
	readonly Tensor: new (type: "int64", data: BigInt64Array, dimensions: readonly number[]) => unknown;
}

interface OnnxSession {
	run(
		inputs: Readonly<Record<string, unknown>>,
	): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

/** Everything that is read or run, with its sha256. The package has more files; they are not used. */
export const MODEL_FILES = {
	tokenizer: ["model/tokenizer.json", "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"],
	model: [
		"model/onnx/model_quantized.onnx",
		"afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
	],
	runtime: [
		"vendor/onnxruntime-web/ort.wasm.min.mjs",
		"9608e98a3fba9716f0cbd0bca0c94808b71dae2e9265ca3fe742ddc393a53ebc",
	],
	loader: [
		"vendor/onnxruntime-web/ort-wasm-simd-threaded.mjs",
		"0a1e718d99c41b22c21f2520ff4f9e883a6b5533856e398d21816ee8eb8185d3",
	],
	wasm: [
		"vendor/onnxruntime-web/ort-wasm-simd-threaded.wasm",
		"d1ab1b94b16a65b29d710d0b587b29e7bed336827577623913479b8afe8113e6",
	],
} as const satisfies Readonly<Record<string, readonly [path: string, sha256: string]>>;

const WIDTH = 384;
/** Longer passages were not found more often, and take longer. */
const MAX_TOKENS = 64;
/** Texts of one batch are as long as the longest of them. */
const BATCH_SIZE = 8;

/** Opens all-MiniLM-L6-v2 in this thread. Throws when a file is missing or is not the one that was tested. */
export async function openModel(directory: string): Promise<EmbedTexts> {
	const read = (name: keyof typeof MODEL_FILES): Buffer => readChecked(directory, MODEL_FILES[name]);
	const vocabulary = asObject(asObject(JSON.parse(read("tokenizer").toString("utf8"))["model"])["vocab"]);
	const tokenizer = createTokenizer(new Map(Object.entries(vocabulary) as [string, number][]));
	read("loader");
	read("runtime");
	const runtime = createRequire(import.meta.url)(join(directory, MODEL_FILES.runtime[0])) as OnnxRuntime;
	runtime.env.wasm.numThreads = 1;
	runtime.env.wasm.wasmPaths = pathToFileURL(join(directory, "vendor/onnxruntime-web/")).href;
	runtime.env.wasm.wasmBinary = read("wasm");
	const session = await runtime.InferenceSession.create(read("model"));
	runtime.env.wasm.wasmBinary = undefined;
	return async (texts) => {
		const byLength = texts
			.map((text, at) => ({ at, tokens: tokenizer.tokenize(text, MAX_TOKENS) }))
			.sort((a, b) => a.tokens.length - b.tokens.length);
		const vectors: Float32Array[] = [];
		for (let start = 0; start < byLength.length; start += BATCH_SIZE) {
			const batch = byLength.slice(start, start + BATCH_SIZE);
			const found = await embedBatch(
				runtime,
				session,
				batch.map(({ tokens }) => tokens),
			);
			batch.forEach(({ at }, index) => {
				vectors[at] = found[index] ?? new Float32Array(WIDTH);
			});
		}
		return vectors;
	};
}

function readChecked(directory: string, [path, sha256]: readonly [string, string]): Buffer {
	const bytes = readFileSync(join(directory, path));
	if (createHash("sha256").update(bytes).digest("hex") !== sha256)
		throw new Error(`${path} has another checksum than the one that was tested`);
	return bytes;
}

async function embedBatch(
	{ Tensor }: OnnxRuntime,
	session: OnnxSession,
	batch: readonly (readonly number[])[],
): Promise<Float32Array[]> {
	const length = Math.max(...batch.map((tokens) => tokens.length));
	const ids = new BigInt64Array(batch.length * length);
	const mask = new BigInt64Array(batch.length * length);
	batch.forEach((tokens, row) => {
		tokens.forEach((token, at) => {
			ids[row * length + at] = BigInt(token);
			mask[row * length + at] = 1n;
		});
	});
	const toTensor = (data: BigInt64Array): unknown => new Tensor("int64", data, [batch.length, length]);
	const { last_hidden_state: hidden } = await session.run({
		input_ids: toTensor(ids),
		attention_mask: toTensor(mask),
		token_type_ids: toTensor(new BigInt64Array(ids.length)),
	});
	if (hidden === undefined) throw new Error("the model gave no vectors");
	return batch.map((tokens, row) => {
		const start = row * length * WIDTH;
		return toDirection(hidden.data.subarray(start, start + tokens.length * WIDTH));
	});
}

/** The mean over the tokens, at length 1. */
function toDirection(rows: Float32Array): Float32Array {
	const sum = new Float32Array(WIDTH);
	rows.forEach((value, at) => {
		sum[at % WIDTH] = (sum[at % WIDTH] ?? 0) + value;
	});
	const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
	return sum.map((value) => value / length);
}
