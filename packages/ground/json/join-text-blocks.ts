import { asList, asObject, asText } from "./json-values.ts";

/** The text of a message or a result, whose content is a string or a list of blocks. An image has no text but `imageText`. */
export function joinTextBlocks(content: unknown, imageText?: string): string {
	if (!Array.isArray(content)) return asText(content);
	return asList(content)
		.map(asObject)
		.flatMap(({ type, text }) => {
			if (type === "text") return [asText(text)];
			return type === "image" && imageText !== undefined ? [imageText] : [];
		})
		.join("\n");
}
