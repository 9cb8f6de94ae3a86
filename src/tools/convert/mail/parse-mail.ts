import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { decodeRawHeader, decodeTransfer } from "./decode-mail-text.ts";

export interface MailPart {
	readonly headers: ReadonlyMap<string, string>;
	/** Lower case, without parameters. */
	readonly type: string;
	readonly contentType: string;
	readonly fileName: string;
	readonly attachment: boolean;
	readonly body: Buffer;
	/** Parts of a multipart, or the mail inside a `message/rfc822`. */
	readonly parts: readonly MailPart[];
}

/** Reads the structure of a message. `source` holds one byte per character. */
export function parseMail(source: string): MailPart {
	const budget = { parts: CONVERSION_LIMITS.maxMailParts };
	return parsePart(source, 0, budget);
}

function parsePart(source: string, depth: number, budget: { parts: number }): MailPart {
	budget.parts -= 1;
	const { headers, body } = splitHeaders(source);
	const contentType = headers.get("content-type") ?? "text/plain";
	const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
	const disposition = headers.get("content-disposition") ?? "";
	const fileName = parameter(disposition, "filename") || parameter(contentType, "name");
	const encoding = (headers.get("content-transfer-encoding") ?? "").trim().toLowerCase();
	const mayNest = depth < CONVERSION_LIMITS.maxMailDepth;
	const parts = mayNest ? parseInner(type, contentType, body, encoding, depth, budget) : [];
	return {
		headers,
		type,
		contentType,
		fileName,
		attachment: /^\s*attachment/i.test(disposition),
		body: parts.length > 0 ? Buffer.alloc(0) : decodeTransfer(body, encoding),
		parts,
	};
}

function parseInner(
	type: string,
	contentType: string,
	body: string,
	encoding: string,
	depth: number,
	budget: { parts: number },
): MailPart[] {
	if (type === "message/rfc822")
		return [parsePart(decodeTransfer(body, encoding).toString("latin1"), depth + 1, budget)];
	const boundary = type.startsWith("multipart/") ? parameter(contentType, "boundary") : "";
	if (!boundary) return [];
	const parts: MailPart[] = [];
	for (const section of splitSections(body, boundary)) {
		if (budget.parts <= 0) break;
		parts.push(parsePart(section, depth + 1, budget));
	}
	return parts;
}

function splitSections(body: string, boundary: string): string[] {
	const sections: string[] = [];
	const mark = `--${boundary}`;
	let from = -1;
	for (const line of linesWithPlace(body)) {
		if (!line.text.startsWith(mark)) continue;
		if (from >= 0) sections.push(body.slice(from, line.start).replace(/\r?\n$/, ""));
		from = line.end;
		if (line.text.startsWith(`${mark}--`)) return sections;
	}
	// The closing boundary of a message that was cut off is missing; what came is still shown.
	if (from >= 0) sections.push(body.slice(from));
	return sections;
}

function* linesWithPlace(text: string): Generator<{ text: string; start: number; end: number }> {
	let start = 0;
	while (start < text.length) {
		const newline = text.indexOf("\n", start);
		const end = newline === -1 ? text.length : newline + 1;
		yield { text: text.slice(start, end).trimEnd(), start, end };
		start = end;
	}
}

function splitHeaders(source: string): { headers: Map<string, string>; body: string } {
	// A part without headers begins with the empty line that ends them.
	const end = /^\r?\n|\r?\n\r?\n/.exec(source);
	const head = end ? source.slice(0, end.index) : source;
	const headers = new Map<string, string>();
	for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
		const colon = line.indexOf(":");
		if (colon <= 0) continue;
		const name = line.slice(0, colon).trim().toLowerCase();
		if (!headers.has(name)) headers.set(name, decodeRawHeader(line.slice(colon + 1).trim()));
	}
	return { headers, body: end ? source.slice(end.index + end[0].length) : "" };
}

/** `name=value`, `name="value"`, and RFC 2231's `name*=utf-8''value%20`. */
function parameter(header: string, name: string): string {
	const extended = new RegExp(`;\\s*${name}\\*(?:0\\*)?=\\s*"?[\\w-]*'[\\w-]*'([^";\\s]+)`, "i").exec(
		header,
	)?.[1];
	if (extended) {
		try {
			return decodeURIComponent(extended);
		} catch {
			return extended;
		}
	}
	const match = new RegExp(`;\\s*${name}=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, "i").exec(header);
	return (match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2] ?? "").trim();
}
