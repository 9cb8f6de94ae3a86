// The least a program can do: POST, read the stream line by line, write the text. No checks, no errors, no tools.
import { request } from "node:http";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const payload = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const body = JSON.stringify({
	model: payload.model,
	messages: [{ role: "user", content: payload.prompt }],
	stream: true,
});
const outgoing = request(
	payload.url,
	{
		method: "POST",
		headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
	},
	(reply) => {
		let rest = "";
		reply.setEncoding("utf8");
		reply.on("data", (text) => {
			const lines = (rest + text).split("\n");
			rest = lines.pop();
			let out = "";
			for (const line of lines) {
				if (!line.startsWith("data: {")) continue;
				const delta = JSON.parse(line.slice(6)).choices[0]?.delta?.content;
				if (delta)
					out += `event: output_text\ndata: ${JSON.stringify({ id: "", delta, type: "output_text" })}\n\n`;
			}
			if (out !== "") process.stdout.write(out);
		});
		reply.on("end", () => process.stdout.write("", () => process.exit(0)));
	},
);
outgoing.end(body);
