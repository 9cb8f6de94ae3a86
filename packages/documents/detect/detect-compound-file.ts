import { ConversionError, encrypted } from "../conversion-error.ts";
import type { DocumentFormat } from "../document-format.ts";

const SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex");

export function isCompoundFile(head: Buffer): boolean {
	return head.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** Stream names are UTF-16 in the directory; finding one is enough to know the program. */
const contains = (file: Buffer, stream: string): boolean => file.includes(Buffer.from(stream, "utf16le"));

const refuseOldFormat = (what: string, modern: string): ConversionError =>
	new ConversionError(
		"UNSUPPORTED_FORMAT",
		`${what} files are not read. Save it as .${modern} first, for example with: soffice --headless --convert-to ${modern} FILE`,
	);

/** The container of Office before 2007, also used to encrypt newer files. Only old workbooks have a reader. */
export function detectCompoundFile(file: Buffer): DocumentFormat {
	if (contains(file, "EncryptedPackage"))
		throw encrypted(
			"The Office document is password-protected. Save a copy without a password and convert that.",
		);
	if (contains(file, "Workbook") || contains(file, "Book")) return "xls";
	if (contains(file, "WordDocument")) throw refuseOldFormat("Old binary Word (.doc)", "docx");
	if (contains(file, "PowerPoint Document")) throw refuseOldFormat("Old binary PowerPoint (.ppt)", "pptx");
	if (contains(file, "__properties_version1.0")) throw refuseOldFormat("Outlook message (.msg)", "eml");
	throw new ConversionError(
		"UNSUPPORTED_FORMAT",
		"This is an old binary Office file of an unknown program; it is not read. Save it in a current format.",
	);
}
