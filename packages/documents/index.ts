export { CONVERT_ERROR_CODES, ConversionError, type ConvertErrorCode } from "./conversion-error.ts";
export { CONVERSION_LIMITS } from "./conversion-limits.ts";
export { boundDocument, convertBytes } from "./convert-bytes.ts";
export {
	type Conversion,
	type DocumentHint,
	extensionOf,
	type LoadedDocument,
	mediaTypeOf,
} from "./converted-document.ts";
export {
	type ConverterAnswer,
	parseConverterAnswer,
	parseConverterInput,
	renderConverterInput,
} from "./converter-protocol.ts";
export { isCompoundFile } from "./detect/detect-compound-file.ts";
export { detectFormat } from "./detect/detect-format.ts";
export { looksLikeText } from "./detect/looks-like-text.ts";
export {
	DOCUMENT_FORMATS,
	type DocumentFormat,
	OFFICE_TYPE_PREFIXES,
	OLD_FORMATS,
} from "./document-format.ts";
export { escapeHtml } from "./html/escape-html.ts";
export { decodeEntities } from "./markup/decode-entities.ts";
export { parsePlainPage } from "./markup/parse-plain-page.ts";
export { walkMarkup } from "./markup/walk-markup.ts";
export { convertPage } from "./page/convert-page.ts";
export { loadPageParser } from "./page/load-page-parser.ts";
export type { LoadInspector } from "./pdf/read-pdf.ts";
