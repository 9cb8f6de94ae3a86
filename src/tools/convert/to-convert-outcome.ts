import { ConversionError } from "@deputize/documents";
import type { ToolOutcome } from "../../contract/tool.ts";
import { markUntrusted, UNTRUSTED_NOTICE } from "../web/pages/mark-untrusted.ts";
import { sliceText } from "../web/store/slice-text.ts";
import type { ConvertedAnswer } from "./conversion-cache.ts";

/** A page of a document ends with a paragraph or a row rather than close to its limit. */
const LINE_BREAK_SHARE = 0.5;

interface OutcomeView {
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
	const page = sliceText(answer.markdown, view.offset, view.maxContentChars, LINE_BREAK_SHARE);
	const { text: content, nextOffset: end } = page;
	const hasMore = end !== undefined;
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
