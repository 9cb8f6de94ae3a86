import { decodeText, messageOf } from "@deputize/ground";
import PostalMime, { type Attachment, decodeWords, type Email } from "postal-mime";
import { unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { renderHtml } from "../formats/read-html.ts";
import { escapeMarkdown } from "../html/escape-markdown.ts";
import { limitMailParts } from "./limit-mail-parts.ts";

const SHOWN_HEADERS = ["From", "To", "Cc", "Date", "Reply-To"];

/** A message: its heading, who wrote it to whom, the text, and a list of attachments (not opened). */
export async function readMail(bytes: Buffer): Promise<ConvertedDocument> {
	const mail = await parseMail(bytes);
	const attachments: Attachment[] = [];
	const body = await renderMessage(mail, 1, attachments);
	const list = attachments.map(
		({ filename, mimeType, content }) =>
			`- ${filename || "(unnamed)"} (${mimeType}, ${toBytes(content).length} bytes)`,
	);
	const tail = list.length > 0 ? ["## Attachments", list.join("\n")] : [];
	return {
		markdown: [body, ...tail].join("\n\n"),
		metadata: { attachments: attachments.length },
		...(mail.subject && { title: mail.subject }),
	};
}

async function parseMail(bytes: Buffer): Promise<Email> {
	const message = limitMailParts(toUtf8(bytes), CONVERSION_LIMITS.maxMailParts);
	try {
		// Messages inside the message come as attachments: they get their own headings here.
		return await PostalMime.parse(message, { forceRfc822Attachments: true });
	} catch (error) {
		throw unsafe(`The message is not read: ${messageOf(error)}.`);
	}
}

/** Old mail names no charset for what it writes in one: its headers, and its text when nothing declares anything. */
function toUtf8(message: Buffer): Buffer {
	const end = /^\r?\n|\r?\n\r?\n/.exec(message.toString("latin1"));
	const headLength = end ? end.index : message.length;
	const decode = (part: Buffer): Buffer => Buffer.from(decodeText(part).text, "utf8");
	const namesCharset = /charset\s*=|charset\*/i.test(message.toString("latin1"));
	const body = message.subarray(headLength);
	return Buffer.concat([decode(message.subarray(0, headLength)), namesCharset ? body : decode(body)]);
}

async function renderMessage(mail: Email, level: number, attachments: Attachment[]): Promise<string> {
	const facts = SHOWN_HEADERS.flatMap((label) => {
		const value = mail.headers.find(({ key }) => key === label.toLowerCase())?.value;
		return value ? [`- ${label}: ${decodeWords(value)}`] : [];
	});
	const blocks = [
		`${"#".repeat(Math.min(level, 6))} ${mail.subject || "(no subject)"}`,
		facts.join("\n"),
		// HTML keeps links and tables that the plain text lost.
		mail.html ? renderHtml(mail.html) : renderText(mail.text ?? ""),
	];
	for (const attachment of mail.attachments) {
		const isMessage = attachment.mimeType === "message/rfc822" && level <= CONVERSION_LIMITS.maxMailDepth;
		if (isMessage)
			blocks.push(await renderMessage(await parseMail(toBytes(attachment.content)), level + 1, attachments));
		else if (isShownText(attachment)) blocks.push(renderText(decodeText(toBytes(attachment.content)).text));
		else attachments.push(attachment);
	}
	return blocks.filter(Boolean).join("\n\n");
}

/** Text of another kind than plain and HTML that the sender meant to be shown. */
function isShownText({ mimeType, filename, disposition }: Attachment): boolean {
	return /^text\/(?!calendar)/.test(mimeType) && filename === null && disposition !== "attachment";
}

function renderText(text: string): string {
	return escapeMarkdown(text.replace(/\r\n?/g, "\n").trim());
}

function toBytes(content: Attachment["content"]): Buffer {
	return typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}
