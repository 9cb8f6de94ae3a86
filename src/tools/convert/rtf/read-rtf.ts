import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { finishRtf } from "./finish-rtf.ts";
import { createRtfState } from "./rtf-state.ts";
import { takeRtfToken } from "./take-rtf-token.ts";
import { tokenizeRtf } from "./tokenize-rtf.ts";

export function readRtf(bytes: Buffer): ConvertedDocument {
	const state = createRtfState();
	let depth = 0;
	for (const token of tokenizeRtf(bytes.toString("latin1"))) {
		if (token.kind === "open") depth += 1;
		if (depth > CONVERSION_LIMITS.maxRtfDepth)
			throw unsafe(`The RTF file nests groups deeper than ${CONVERSION_LIMITS.maxRtfDepth}; it is not read.`);
		takeRtfToken(state, token);
		if (token.kind === "close") {
			depth -= 1;
			// What follows the last group is not part of the document; mailers append bytes there.
			if (depth === 0) break;
		}
	}
	if (depth > 0) throw damaged("The RTF file is cut off: some of its groups never end.");
	const { html, title, author } = finishRtf(state);
	return {
		markdown: htmlToMarkdown(html, { addRules: addNoteRules }),
		metadata: { ...(author && { author }) },
		...(title && { title }),
	};
}
