import { type ConversionError, damaged, encrypted } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { extractWithInspector, type InspectorModule } from "./extract-with-inspector.ts";
import { extractWithUnpdf } from "./extract-with-unpdf.ts";
import { groupLines } from "./group-lines.ts";
import { rankSizes } from "./heading-levels.ts";
import type { PdfText } from "./pdf-page.ts";
import { renderPage } from "./render-page.ts";

/** Undefined where the native engine is not installed, or does not load. */
export type LoadInspector = () => InspectorModule | undefined;

export async function readPdf(bytes: Buffer, loadInspector?: LoadInspector): Promise<ConvertedDocument> {
	const pdf = await extract(bytes, loadInspector?.());
	const levels = rankSizes(pdf.pages.flatMap(groupLines));
	const empty: number[] = [];
	const blocks = pdf.pages.map((page, index) => {
		const text = renderPage(page, levels);
		if (text === "") empty.push(index + 1);
		return `<!-- Page ${index + 1} of ${pdf.pageCount} -->\n\n${text}`.trim();
	});
	const hidden = pdf.pageCount - pdf.pages.length;
	if (hidden > 0)
		blocks.push(`*(${hidden} more pages not shown; ${pdf.pages.length} of ${pdf.pageCount} were read)*`);
	return {
		markdown: [...describeEmptyPages(empty, pdf.pages.length), ...blocks].join("\n\n"),
		metadata: { pages: pdf.pageCount, engine: pdf.engine, ...(pdf.author && { author: pdf.author }) },
		...(pdf.title && { title: pdf.title }),
	};
}

/** A scan has pictures of text. Nobody must take the empty result for an empty document. */
function describeEmptyPages(empty: readonly number[], pages: number): string[] {
	if (empty.length === 0) return [];
	const which = empty.length === pages ? "No page has" : `Pages ${empty.join(", ")} have no`;
	return [`*(${which} text: scanned pictures need OCR, which is not done here)*`];
}

async function extract(bytes: Buffer, inspector: InspectorModule | undefined): Promise<PdfText> {
	if (inspector) {
		try {
			const pdf = extractWithInspector(inspector, bytes, CONVERSION_LIMITS.maxPdfPages);
			// It gives up in silence on pages with too many operations; the other engine must agree that there is nothing.
			if (pdf.pages.some(({ items }) => items.length > 0)) return pdf;
		} catch (error) {
			if (/encrypt|password/i.test((error as Error).message)) throw passwordNeeded();
			// Damaged files are read further by the other engine, which searches for objects itself.
		}
	}
	try {
		return await extractWithUnpdf(bytes, CONVERSION_LIMITS.maxPdfPages);
	} catch (error) {
		if ((error as Error).name === "PasswordException") throw passwordNeeded();
		throw damaged(`The PDF is damaged or cut off: ${(error as Error).message}`);
	}
}

function passwordNeeded(): ConversionError {
	return encrypted("The PDF needs a password to be opened. Save a copy without a password and convert that.");
}
