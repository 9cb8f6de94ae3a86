import { deflateSync } from "node:zlib";
import { makeZip, type ZipPart } from "./convert-zip.ts";

const CONTENT_TYPES: ZipPart = {
	name: "[Content_Types].xml",
	content:
		'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
};
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

function relationships(...entries: readonly [id: string, type: string, target: string][]): string {
	const items = entries.map(
		([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
	);
	return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}

/** A Word file around the given document part. */
export function makeDocx(document: string | Uint8Array, more: readonly ZipPart[] = []): Buffer {
	return makeZip([
		CONTENT_TYPES,
		{ name: "_rels/.rels", content: relationships(["r1", "officeDocument", "word/document.xml"]) },
		{ name: "word/document.xml", content: document },
		...more,
	]);
}

export function wordDocument(body: string): string {
	return `<?xml version="1.0"?><w:document xmlns:w="${WORD}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`;
}

/** A workbook with one sheet, whose part is given. */
export function makeXlsx(sheet: string | Uint8Array): Buffer {
	return makeZip([
		CONTENT_TYPES,
		{ name: "_rels/.rels", content: relationships(["r1", "officeDocument", "xl/workbook.xml"]) },
		{
			name: "xl/workbook.xml",
			content: `<?xml version="1.0"?><workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Big" sheetId="1" r:id="r1"/></sheets></workbook>`,
		},
		{
			name: "xl/_rels/workbook.xml.rels",
			content: relationships(["r1", "worksheet", "worksheets/sheet1.xml"]),
		},
		{ name: "xl/worksheets/sheet1.xml", content: sheet },
	]);
}

export function worksheet(rows: string): string {
	return `<?xml version="1.0"?><worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`;
}

/** A sheet of about so many megabytes, which packs to very little. */
export function hugeWorksheet(megabytes: number): Buffer {
	const row = (number: number): string =>
		`<row r="${number}"><c r="A${number}"><v>${number}</v></c><c r="B${number}" t="inlineStr"><is><t>some text in a cell</t></is></c></row>`;
	const wanted = megabytes * 1024 * 1024;
	const chunks: string[] = [];
	for (let number = 1, size = 0; size < wanted; number += 1) {
		const text = row(number);
		size += text.length;
		chunks.push(text);
	}
	return Buffer.from(worksheet(chunks.join("")));
}

export const BILLION_LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
	{ length: 9 },
	(_, index) => `<!ENTITY lol${index + 1} "${`&lol${index === 0 ? "" : index};`.repeat(10)}">`,
).join("")}]>`;

export function makeOdt(content: string, more: readonly ZipPart[] = []): Buffer {
	return makeZip([
		{ name: "mimetype", content: "application/vnd.oasis.opendocument.text", stored: true },
		{ name: "content.xml", content },
		...more,
	]);
}

export function odtContent(body: string, prologue = '<?xml version="1.0"?>'): string {
	return `${prologue}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
}

/** A PDF of one page with the given page contents, packed. */
export function makePdf(contents: string | Buffer): Buffer {
	const packed = deflateSync(contents);
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		undefined,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	];
	const chunks: Buffer[] = [Buffer.from("%PDF-1.4\n")];
	const offsets: number[] = [];
	let size = chunks[0]?.length ?? 0;
	objects.forEach((object, index) => {
		const body =
			object === undefined
				? Buffer.concat([
						Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
						packed,
						Buffer.from("\nendstream"),
					])
				: Buffer.from(object);
		const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
		offsets.push(size);
		size += whole.length;
		chunks.push(whole);
	});
	const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
	chunks.push(
		Buffer.from(
			`xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`,
		),
	);
	return Buffer.concat(chunks);
}
