import type { ToolOutcome } from "../../contract/tool.ts";
import { markUntrusted, UNTRUSTED_NOTICE } from "../web/pages/mark-untrusted.ts";
import type { ConvertedAnswer } from "./conversion-cache.ts";
import { ConversionError } from "./conversion-error.ts";

export interface OutcomeView {
	readonly source: string;
	readonly offset: number;
	readonly maxContentChars: number;
	readonly durationMs: number;
}

/** One page of the Markdown, with everything the model needs to ask for the next one in the text itself. */
export function toConvertOutcome(answer: ConvertedAnswer, view: OutcomeView): ToolOutcome {
	const total = answer.markdown.length;
	if (view.offset > 0 && view.offset >= total)
		throw new ConversionError(
			"INVALID_INPUT",
			`offset ${view.offset} is past the end: the Markdown has ${total} characters.`,
		);
	const end = pageEnd(answer.markdown, view.offset, view.maxContentChars);
	const content = answer.markdown.slice(view.offset, end);
	const hasMore = end < total;
	const truncated = hasMore || answer.truncated;
	// The title comes from the document, so it is inside the marked part.
	const title = answer.title && view.offset === 0 ? `Title: ${answer.title}\n\n` : "";
	const notes = [
		hasMore && `Characters ${view.offset} to ${end} of ${total}. For more, call again with offset ${end}.`,
		!hasMore &&
			answer.truncated &&
			`The document is longer than what is converted; the rest is not available.`,
	].filter((note) => note !== false);
	return {
		text: [
			renderHead(answer, view),
			...notes,
			UNTRUSTED_NOTICE,
			markUntrusted(`${title}${content}`, view.source),
		].join("\n"),
		details: {
			source: view.source,
			provider: answer.provider,
			content,
			truncated,
			totalChars: total,
			...(hasMore && { nextOffset: end }),
			...(answer.title && { title: answer.title }),
			metadata: { ...answer.metadata, fileSize: answer.fileSize, durationMs: view.durationMs },
		},
		isError: false,
	};
}

function renderHead({ metadata, provider }: ConvertedAnswer, { source }: OutcomeView): string {
	const facts = ["format", "pages", "slides", "sheets", "chapters"]
		.filter((name) => metadata[name] !== undefined)
		.map((name) => `${name} ${metadata[name]}`);
	const by = provider === "builtin" ? "" : `, by ${provider}`;
	return `Converted ${source} (${facts.join(", ")}${by}).`;
}

/** At the end of a line if one is near, and never between the halves of a character. */
function pageEnd(markdown: string, offset: number, maxChars: number): number {
	const limit = offset + maxChars;
	if (limit >= markdown.length) return markdown.length;
	const line = markdown.lastIndexOf("\n", limit);
	if (line > offset + maxChars / 2) return line + 1;
	const code = markdown.charCodeAt(limit - 1);
	const splitsPair = code >= 0xd800 && code <= 0xdbff;
	return splitsPair && maxChars > 1 ? limit - 1 : limit;
}
