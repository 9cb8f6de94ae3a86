import mammoth from "mammoth";
import { damaged } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { checkXmlBytes } from "../xml/check-xml-bytes.ts";
import { type Archive, openArchive } from "../zip/open-archive.ts";
import { writeStoredZip } from "../zip/write-stored-zip.ts";
import { readCoreProperties } from "./office-properties.ts";
import { restoreFormulas, takeOutFormulas } from "./word-formulas.ts";

/** What the writers of Word files call the things mammoth does not know by itself. */
const STYLE_MAP = [
	"p[style-name='Title'] => h1:fresh",
	"p[style-name='Subtitle'] => p.subtitle > em:fresh",
	"p[style-name='Source Code'] => pre:separator('\\n')",
	"p[style-name='Preformatted Text'] => pre:separator('\\n')",
	"p[style-name='HTML Preformatted'] => pre:separator('\\n')",
	"p[style-name='Code'] => pre:separator('\\n')",
	"p[style-name='Block Text'] => blockquote > p:fresh",
	"p[style-name='Quotations'] => blockquote > p:fresh",
	"p[style-name='Quote'] => blockquote > p:fresh",
	"p[style-name='Intense Quote'] => blockquote > p:fresh",
	"r[style-name='Verbatim Char'] => code",
	"r[style-name='Source Text'] => code",
	"r[style-name='HTML Code'] => code",
];

export async function readDocx(bytes: Buffer): Promise<ConvertedDocument> {
	const archive = openArchive(bytes);
	const formulas: string[] = [];
	const { value: html } = await convert(writeStoredZip(collectParts(archive, formulas)));
	const { title, ...metadata } = readCoreProperties(archive);
	return {
		markdown: restoreFormulas(htmlToMarkdown(html, { addRules: addNoteRules }), formulas),
		metadata,
		...(title && { title }),
	};
}

/** Pictures stay behind: their alternative text is in the document part, and their bytes are not shown. */
function collectParts(archive: Archive, formulas: string[]): Map<string, Uint8Array> {
	const parts = new Map<string, Uint8Array>();
	for (const name of archive.names) {
		if (!/\.(xml|rels)$/.test(name) || name.startsWith("customXml/")) continue;
		const content = archive.read(name);
		if (!content) continue;
		checkXmlBytes(name, content, CONVERSION_LIMITS.maxXmlElements);
		parts.set(
			name,
			/^word\/(document|footnotes|endnotes)\d*\.xml$/.test(name)
				? takeOutFormulas(content, formulas)
				: content,
		);
	}
	return parts;
}

async function convert(docx: Buffer): Promise<{ value: string }> {
	try {
		return await mammoth.convertToHtml(
			{ buffer: docx },
			{
				styleMap: STYLE_MAP,
				externalFileAccess: false,
				convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
			},
		);
	} catch (error) {
		throw damaged(`The Word document cannot be read: ${(error as Error).message}`);
	}
}
