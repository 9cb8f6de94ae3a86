// What a person would write with the official SDK.
const { default: OpenAI } = await import(
	new URL("../../test/peers/node_modules/openai/index.mjs", import.meta.url).href
);

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const payload = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const client = new OpenAI({ apiKey: "k", baseURL: payload.url.replace("/chat/completions", "") });
const stream = await client.chat.completions.create({
	model: payload.model,
	messages: [{ role: "user", content: payload.prompt }],
	stream: true,
});
for await (const chunk of stream) {
	const delta = chunk.choices[0]?.delta?.content;
	if (delta)
		process.stdout.write(
			`event: output_text\ndata: ${JSON.stringify({ id: "", delta, type: "output_text" })}\n\n`,
		);
}
process.stdout.write("", () => process.exit(0));
