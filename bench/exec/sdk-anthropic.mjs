const { default: Anthropic } = await import(
	new URL("../../test/peers/node_modules/@anthropic-ai/sdk/index.mjs", import.meta.url).href
);

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const payload = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const client = new Anthropic({
	apiKey: "k",
	baseURL: payload.url.replace("/chat/completions", "/anthropic"),
});
const stream = await client.messages.create({
	model: payload.model,
	max_tokens: 1000,
	messages: [{ role: "user", content: payload.prompt }],
	stream: true,
});
for await (const event of stream) {
	const delta = event.delta?.text;
	if (delta)
		process.stdout.write(
			`event: output_text\ndata: ${JSON.stringify({ id: "", delta, type: "output_text" })}\n\n`,
		);
}
process.stdout.write("", () => process.exit(0));
