import { writeFileSync } from "node:fs";

/** What the model writes, piece by piece. A piece occurs once in a list. */
interface ModelScript {
	/** In answer to a person. */
	readonly first: readonly string[];
	/** In answer to the result of a tool. */
	readonly afterTool: readonly string[];
}

/** As in GGUF: the types of values, and of tokens. */
const VALUE = { uint32: 4, int32: 5, float32: 6, bool: 7, text: 8, list: 9 } as const;
const TOKEN = { unknown: 2, control: 3, own: 4, byte: 6 } as const;

const HEAD = 32;
const HIDDEN = 32;
const END = "<|im_end|>";
/** The last token of a prompt, by who spoke last. */
const SPOKEN = "<|spoken|>";
const CALLED = "<|called|>";

/** Every byte of a prompt is a token here, so that only names and beginnings are in it. */
const CHAT = `{%- if tools %}<|im_start|>system
# Tools
<tools>{% for tool in tools %}
{{ tool.function.name }}{% endfor %}
</tools>
For each function call return a json object within <tool_call></tool_call>:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>${END}
{% endif %}
{%- for message in messages %}
{%- if message.role == "tool" %}<|im_start|>user
<tool_response>
{{ message.content[:99] }}
</tool_response>${END}
{% elif message.role == "assistant" and message.tool_calls %}<|im_start|>assistant
{%- for call in message.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}${END}
{% else %}<|im_start|>{{ message.role }}
{{ message.content[:99] }}${END}
{% endif %}{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% if messages[-1].role == "tool" %}${CALLED}{% else %}${SPOKEN}{% endif %}{% endif %}`;

/**
 * Writes a model that llama.cpp loads and that says what a script says. Each token has a dimension of its own, and the output
 * weights lead from each to the one that follows it. Two chains may share a token: the one head of attention looks for the end
 * of the prompt, wherever it is, and adds a dimension that says which chain it began.
 */
export function writeScriptedGguf(file: string, script: ModelScript): void {
	const chains = [
		[SPOKEN, ...script.first, END],
		[CALLED, ...script.afterTool, END],
	];
	const tokens: (readonly [text: string, type: number])[] = [
		["<unk>", TOKEN.unknown],
		["<s>", TOKEN.control],
		...Array.from(
			{ length: 256 },
			(_, byte) => [`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, TOKEN.byte] as const,
		),
		["<|im_start|>", TOKEN.control],
		[END, TOKEN.control],
		...[SPOKEN, CALLED].map((text) => [text, TOKEN.control] as const),
		...[...new Set([...script.first, ...script.afterTool])].map((text) => [text, TOKEN.own] as const),
	];
	const find = (wanted: string): number => tokens.findIndex(([text]) => text === wanted);
	const ids = chains.map((chain) => chain.map(find));
	const width = Math.ceil((tokens.length + chains.length) / 32) * 32;
	/** What a dimension of one token is after it was normalized. */
	const size = Math.sqrt(width);
	const follows = new Set(ids.flatMap((chain) => chain.slice(1).map((id, at) => `${id} after ${chain[at]}`)));
	const weigh = (id: number, dimension: number): number => {
		const chain = ids[dimension - tokens.length];
		if (chain !== undefined) return chain.includes(id) ? 5 : 0;
		return follows.has(`${id} after ${dimension}`) ? 10 : 0;
	};
	const whichStart = (dimension: number): number => ids.findIndex(([start]) => start === dimension);
	const tensors = [
		tensor("token_embd.weight", width, tokens.length, (id, dimension) => (id === dimension ? 1 : 0)),
		tensor("output_norm.weight", width, 1, () => 1),
		tensor("output.weight", width, tokens.length, weigh),
		...["attn_norm", "ffn_norm"].map((name) => tensor(`blk.0.${name}.weight`, width, 1, () => 1)),
		// The last dimensions of a head hardly turn with the distance.
		tensor("blk.0.attn_q.weight", width, HEAD, (row) => (row === HEAD - 1 ? 1 : 0)),
		tensor("blk.0.attn_k.weight", width, HEAD, (row, dimension) =>
			row === HEAD - 1 && whichStart(dimension) >= 0 ? 1 : 0,
		),
		tensor("blk.0.attn_v.weight", width, HEAD, (row, dimension) => (whichStart(dimension) === row ? 1 : 0)),
		tensor("blk.0.attn_output.weight", HEAD, width, (row, dimension) =>
			row - tokens.length === dimension ? 1 / size : 0,
		),
		...["ffn_gate", "ffn_up"].map((name) => tensor(`blk.0.${name}.weight`, width, HIDDEN)),
		tensor("blk.0.ffn_down.weight", HIDDEN, width),
	];
	const facts = [
		fact("general.architecture", VALUE.text, "llama"),
		fact("general.name", VALUE.text, "scripted"),
		fact("llama.context_length", VALUE.uint32, 65_536),
		fact("llama.embedding_length", VALUE.uint32, width),
		fact("llama.block_count", VALUE.uint32, 1),
		fact("llama.feed_forward_length", VALUE.uint32, HIDDEN),
		fact("llama.attention.head_count", VALUE.uint32, 1),
		fact("llama.attention.key_length", VALUE.uint32, HEAD),
		fact("llama.attention.value_length", VALUE.uint32, HEAD),
		fact("llama.rope.dimension_count", VALUE.uint32, HEAD),
		fact("llama.attention.layer_norm_rms_epsilon", VALUE.float32, 1e-6),
		fact("tokenizer.ggml.model", VALUE.text, "llama"),
		facts32(
			"tokenizer.ggml.tokens",
			VALUE.text,
			tokens.map(([text]) => text),
		),
		facts32(
			"tokenizer.ggml.scores",
			VALUE.float32,
			tokens.map(() => 0),
		),
		facts32(
			"tokenizer.ggml.token_type",
			VALUE.int32,
			tokens.map(([, type]) => type),
		),
		fact("tokenizer.ggml.unknown_token_id", VALUE.uint32, 0),
		fact("tokenizer.ggml.bos_token_id", VALUE.uint32, 1),
		fact("tokenizer.ggml.eos_token_id", VALUE.uint32, find(END)),
		fact("tokenizer.ggml.add_bos_token", VALUE.bool, false),
		fact("tokenizer.ggml.add_space_prefix", VALUE.bool, false),
		fact("tokenizer.chat_template", VALUE.text, CHAT),
	];
	let offset = 0;
	const described = tensors.map(({ name, shape, data }) => {
		const at = offset;
		offset += pad(data).length;
		return Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(at)]);
	});
	const head = Buffer.concat([
		Buffer.from("GGUF"),
		u32(3),
		u64(tensors.length),
		u64(facts.length),
		...facts,
		...described,
	]);
	writeFileSync(file, Buffer.concat([pad(head), ...tensors.map(({ data }) => pad(data))]));
}

function tensor(
	name: string,
	width: number,
	rows: number,
	valueAt: (row: number, column: number) => number = () => 0,
) {
	const data = Buffer.from(
		Float32Array.from({ length: width * rows }, (_, at) => valueAt(Math.floor(at / width), at % width))
			.buffer,
	);
	return { name, shape: rows === 1 ? [width] : [width, rows], data };
}

function fact(name: string, type: number, value: string | number | boolean): Buffer {
	return Buffer.concat([text(name), u32(type), toBytes(type, value)]);
}

function facts32(name: string, type: number, values: readonly (string | number)[]): Buffer {
	const bytes = values.map((value) => toBytes(type, value));
	return Buffer.concat([text(name), u32(VALUE.list), u32(type), u64(values.length), ...bytes]);
}

function toBytes(type: number, value: string | number | boolean): Buffer {
	if (typeof value === "string") return text(value);
	if (typeof value === "boolean") return Buffer.from([value ? 1 : 0]);
	return type === VALUE.float32 ? Buffer.from(Float32Array.of(value).buffer) : u32(value);
}

function text(value: string): Buffer {
	const bytes = Buffer.from(value, "utf8");
	return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
	return Buffer.from(Uint32Array.of(value).buffer);
}

function u64(value: number): Buffer {
	return Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
}

function pad(bytes: Buffer): Buffer {
	return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
}
