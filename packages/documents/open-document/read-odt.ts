import type { ConvertedDocument } from "../converted-document.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { openOpenDocument } from "./open-document.ts";
import { renderOpenDocument } from "./render-blocks.ts";

export function readOdt(bytes: Buffer): ConvertedDocument {
	const { body, styles, title, author } = openOpenDocument(bytes, "office:text");
	return {
		markdown: htmlToMarkdown(renderOpenDocument(body.children, styles), { addRules: addNoteRules }),
		metadata: { ...(author && { author }) },
		...(title && { title }),
	};
}
