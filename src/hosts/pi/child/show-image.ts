import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentToolResult, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ToolImage } from "../../../contract/tool.ts";

type Content = AgentToolResult<unknown>["content"];

/** pi's own `read`: it scales and converts a picture to what the model takes. */
type CreateRead = typeof import("@earendil-works/pi-coding-agent").createReadToolDefinition;

/** What a model takes without scaling: more is refused rather than sent. */
const MAX_PLAIN_BYTES = 3 * 1024 * 1024;
const PLAIN_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/**
 * A picture that was read under our judge, shown as pi shows pictures. The code for that is part of the running pi; an
 * extension without pi's packages at its head finds it beside the program.
 */
export async function showImage(image: ToolImage, context: ExtensionContext): Promise<Content> {
	const createRead = await loadPiRead();
	if (createRead === undefined) return showPlain(image);
	const read = createRead(context.cwd, {
		operations: {
			access: async () => undefined,
			readFile: async () => Buffer.from(image.bytes),
			detectImageMimeType: async () => image.mimeType,
		},
	});
	return (await read.execute("image", { path: "image" }, undefined, undefined, context)).content;
}

async function loadPiRead(): Promise<CreateRead | undefined> {
	const library = join(dirname(process.argv[1] ?? ""), "index.js");
	if (!existsSync(library)) return undefined;
	try {
		const pi = (await import(pathToFileURL(library).href)) as { createReadToolDefinition?: CreateRead };
		return pi.createReadToolDefinition;
	} catch {
		return undefined;
	}
}

function showPlain({ bytes, mimeType }: ToolImage): Content {
	const text = `Read image file [${mimeType}]`;
	if (bytes.length > MAX_PLAIN_BYTES || !PLAIN_TYPES.includes(mimeType))
		return [
			{
				type: "text",
				text: `${text}\n[Image omitted: it is too large or of a type that models do not take.]`,
			},
		];
	return [
		{ type: "text", text },
		{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType },
	];
}
