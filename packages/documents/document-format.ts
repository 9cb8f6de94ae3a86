/** The names of a format. They are claims of whoever sends a file; its bytes are checked first. */
interface FormatNames {
	/** Lower case, without the dot. */
	readonly extensions: readonly string[];
	readonly mediaTypes: readonly string[];
}

const OFFICE_OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** Every format that has a reader. */
export const DOCUMENT_FORMATS = {
	pdf: { extensions: ["pdf"], mediaTypes: ["application/pdf"] },
	docx: { extensions: ["docx"], mediaTypes: [`${OFFICE_OPEN_XML}.wordprocessingml.document`] },
	pptx: { extensions: ["pptx"], mediaTypes: [`${OFFICE_OPEN_XML}.presentationml.presentation`] },
	xlsx: { extensions: ["xlsx"], mediaTypes: [`${OFFICE_OPEN_XML}.spreadsheetml.sheet`] },
	xls: { extensions: ["xls"], mediaTypes: ["application/vnd.ms-excel"] },
	odt: { extensions: ["odt"], mediaTypes: [`${OPEN_DOCUMENT}.text`] },
	ods: { extensions: ["ods"], mediaTypes: [`${OPEN_DOCUMENT}.spreadsheet`] },
	odp: { extensions: ["odp"], mediaTypes: [`${OPEN_DOCUMENT}.presentation`] },
	epub: { extensions: ["epub"], mediaTypes: ["application/epub+zip"] },
	rtf: { extensions: ["rtf"], mediaTypes: ["application/rtf", "text/rtf"] },
	html: { extensions: ["html", "htm", "xhtml"], mediaTypes: ["text/html", "application/xhtml+xml"] },
	csv: { extensions: ["csv"], mediaTypes: ["text/csv"] },
	tsv: { extensions: ["tsv", "tab"], mediaTypes: ["text/tab-separated-values"] },
	ipynb: { extensions: ["ipynb"], mediaTypes: ["application/x-ipynb+json"] },
	eml: { extensions: ["eml", "mht", "mhtml"], mediaTypes: ["message/rfc822"] },
	zip: { extensions: ["zip"], mediaTypes: ["application/zip", "application/x-zip-compressed"] },
	png: { extensions: ["png"], mediaTypes: ["image/png"] },
	jpeg: { extensions: ["jpeg", "jpg"], mediaTypes: ["image/jpeg"] },
	gif: { extensions: ["gif"], mediaTypes: ["image/gif"] },
	webp: { extensions: ["webp"], mediaTypes: ["image/webp"] },
	svg: { extensions: ["svg"], mediaTypes: ["image/svg+xml"] },
	text: { extensions: ["txt"], mediaTypes: ["text/plain"] },
} as const satisfies Readonly<Record<string, FormatNames>>;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;

/** Formats without a reader that the converter recognizes; its message says what to save them as. */
export const OLD_FORMATS = {
	doc: { extensions: ["doc"], mediaTypes: ["application/msword"] },
	ppt: { extensions: ["ppt"], mediaTypes: ["application/vnd.ms-powerpoint"] },
	msg: { extensions: ["msg"], mediaTypes: ["application/vnd.ms-outlook"] },
} as const satisfies Readonly<Record<string, FormatNames>>;

/** Templates, macros and whatever else office programs save have types that begin like this. */
export const OFFICE_TYPE_PREFIXES = [
	"application/vnd.ms-",
	"application/vnd.oasis.",
	"application/vnd.openxmlformats",
] as const;

/** Which of the given formats an extension or a media type means. */
export function indexFormats(
	formats: readonly DocumentFormat[],
	names: keyof FormatNames,
): ReadonlyMap<string, DocumentFormat> {
	return new Map(formats.flatMap((format) => DOCUMENT_FORMATS[format][names].map((name) => [name, format])));
}
