import { asText, isObject } from "../../json/json-values.ts";

/** The text of a message of pi, whose content is a string or a list of blocks. */
export function joinTextBlocks(content: unknown): string {
	if (!Array.isArray(content)) return asText(content);
	return content
		.flatMap((block: unknown) => (isObject(block) && block["type"] === "text" ? [asText(block["text"])] : []))
		.join("\n");
}
