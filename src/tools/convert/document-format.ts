/** Every format that has a reader, and what each is called in messages. */
export const DOCUMENT_FORMATS = {
	pdf: "PDF",
	docx: "Word document",
	pptx: "PowerPoint presentation",
	xlsx: "Excel workbook",
	xls: "Excel 97–2003 workbook",
	odt: "OpenDocument text",
	ods: "OpenDocument spreadsheet",
	odp: "OpenDocument presentation",
	epub: "EPUB book",
	rtf: "RTF document",
	html: "HTML page",
	csv: "CSV table",
	tsv: "TSV table",
	ipynb: "Jupyter notebook",
	eml: "e-mail message",
	zip: "ZIP archive",
	png: "PNG image",
	jpeg: "JPEG image",
	gif: "GIF image",
	webp: "WebP image",
	svg: "SVG image",
	text: "text",
} as const;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;
