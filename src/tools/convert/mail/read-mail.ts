import { decodeText } from "../../../charset/decode-text.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderHtml } from "../formats/read-html.ts";
import { escapeMarkdown } from "../html/escape-markdown.ts";
import { type MailPart, parseMail } from "./parse-mail.ts";

const SHOWN_HEADERS: readonly (readonly [string, string])[] = [
	["From", "from"],
	["To", "to"],
	["Cc", "cc"],
	["Date", "date"],
	["Reply-To", "reply-to"],
];

interface Attachment {
	readonly name: string;
	readonly type: string;
	readonly bytes: number;
}

/** A message: its heading, who wrote it to whom, the text, and a list of attachments (not opened). */
export function readMail(bytes: Uint8Array): ConvertedDocument {
	const mail = parseMail(Buffer.from(bytes).toString("latin1"));
	const attachments: Attachment[] = [];
	const body = renderMessage(mail, 1, attachments);
	const subject = mail.headers.get("subject");
	const list = attachments.map(
		({ name, type, bytes: size }) => `- ${name || "(unnamed)"} (${type}, ${size} bytes)`,
	);
	const tail = list.length > 0 ? ["## Attachments", list.join("\n")] : [];
	return {
		markdown: [body, ...tail].join("\n\n"),
		metadata: { attachments: attachments.length },
		...(subject && { title: subject }),
	};
}

function renderMessage(mail: MailPart, level: number, attachments: Attachment[]): string {
	const facts = SHOWN_HEADERS.map(([label, name]) => [label, mail.headers.get(name)] as const)
		.filter(([, value]) => value)
		.map(([label, value]) => `- ${label}: ${value}`);
	const heading = `${"#".repeat(Math.min(level, 6))} ${mail.headers.get("subject") || "(no subject)"}`;
	return [heading, facts.join("\n"), ...renderPart(mail, level, attachments)].filter(Boolean).join("\n\n");
}

function renderPart(part: MailPart, level: number, attachments: Attachment[]): string[] {
	const [only] = part.parts;
	if (part.type === "message/rfc822" && only) return [renderMessage(only, level + 1, attachments)];
	if (part.type === "multipart/alternative")
		return renderPart(richest(part.parts) ?? part, level, attachments);
	if (part.parts.length > 0) return part.parts.flatMap((inner) => renderPart(inner, level, attachments));
	if (part.type.startsWith("multipart/")) return [];
	if (part.attachment || part.fileName || !part.type.startsWith("text/")) {
		attachments.push({ name: part.fileName, type: part.type, bytes: part.body.length });
		return [];
	}
	const { text } = decodeText(part.body, part.contentType);
	return [part.type === "text/html" ? renderHtml(text) : escapeMarkdown(text.replace(/\r\n?/g, "\n").trim())];
}

/** HTML keeps links and tables that the plain text lost; a related part wraps HTML with its pictures. */
function richest(parts: readonly MailPart[]): MailPart | undefined {
	return (
		parts.find((part) => part.type === "text/html" || part.type === "multipart/related") ??
		parts.find((part) => part.type === "text/plain") ??
		parts[0]
	);
}
