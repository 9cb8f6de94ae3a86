import { basename } from "node:path";
import { cleanOutsideText, decodePercent, decodeText, defined } from "@deputize/ground";
import type { WebConfig } from "../../../contract/config.ts";
import type { FetchedBody } from "../net/fetch-outcome.ts";
import { parseWebUrl } from "../net/parse-web-url.ts";
import type { SafeClient } from "../safe-fetch.ts";
import { WEB_ERROR_CODES, WebError, type WebErrorCode } from "../web-error.ts";
import type { PageConverter } from "./create-page-converter.ts";
import { type ContentKind, detectContentKind } from "./detect-content-kind.ts";
import type { ConvertDocument, FetchedDocument } from "./fetched-document.ts";
import { type GithubEndpoints, parseGithubPage } from "./github-page.ts";
import { type GithubGet, type GithubText, readGithubPage } from "./read-github-page.ts";
import { readWithReader } from "./read-with-reader.ts";
import { renderFeed } from "./render-feed.ts";

const ACCEPT =
	"text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5";
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;
const FEW_CHARS = 200;

interface PageFetcherOptions {
	readonly config: WebConfig;
	readonly client: SafeClient;
	readonly convertPage: PageConverter;
	readonly convertDocument?: ConvertDocument;
	readonly github: GithubEndpoints;
	readonly reader: { readonly endpoint: string; readonly key: string };
	/** Whether a host is on the public internet: addresses of private ones are not passed to anybody. */
	readonly isPublicHost: (hostname: string) => Promise<boolean>;
}

interface PageRequest {
	readonly signal: AbortSignal;
	readonly preferReader: boolean;
	/** The text as it was sent, without conversion. */
	readonly raw: boolean;
}

export type PageFetcher = (url: string, request: PageRequest) => Promise<FetchedDocument>;

/** One page that is fetched, and what with. */
type PageJob = PageFetcherOptions & PageRequest;

/** Fetches one address and makes text of it. Throws a WebError; one address never affects another. */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
	return async (address, request) => {
		const job = { ...options, ...request };
		const url = parseWebUrl(address);
		const readAt = async (target: string): Promise<FetchedDocument> =>
			await toDocument(address, await fetchBody(target, job), job);
		const special = job.raw ? undefined : parseGithubPage(url, job.github);
		if (!special) return await readAt(url.href);
		if (special.kind === "file") return await readAt(special.rawUrl);
		if (special.kind === "patch") return await readAt(special.url);
		const found = await readGithubPage(special, job.github, createGithubGet(job));
		if (found) return toGithubDocument(address, found);
		const document = await readAt(url.href);
		const warning = joinNotes(document.warning, "GitHub's interface did not answer; this is the page.");
		return { ...document, ...defined({ warning }) };
	};
}

function createGithubGet({ signal, client, config }: PageJob): GithubGet {
	return async (url, accept) => {
		const answer = await client.fetchBytes(url, {
			signal,
			timeoutMs: config.timeoutMs,
			maxBytes: config.maxResponseBytes,
			headers: { accept, "x-github-api-version": "2022-11-28" },
		});
		return answer.ok ? new TextDecoder().decode(answer.bytes) : undefined;
	};
}

function toGithubDocument(url: string, { title, markdown, truncated }: GithubText): FetchedDocument {
	const text = cleanOutsideText(markdown);
	return { url, finalUrl: url, title, text, contentType: "text/markdown", truncated };
}

async function fetchBody(
	url: string,
	{ signal, client, config, convertDocument }: PageJob,
): Promise<FetchedBody> {
	const answer = await client.fetchBytes(url, {
		signal,
		timeoutMs: config.timeoutMs,
		maxBytes: (head) =>
			convertDocument && detectContentKind(head.firstBytes, head.contentType, head.url) === "document"
				? Math.max(MAX_DOCUMENT_BYTES, config.maxResponseBytes)
				: config.maxResponseBytes,
		onOversize: "truncate",
		headers: { accept: ACCEPT },
	});
	if (!answer.ok) throw new WebError(answer.code, answer.message);
	return answer;
}

async function toDocument(address: string, body: FetchedBody, job: PageJob): Promise<FetchedDocument> {
	const kind = detectContentKind(body.bytes, body.contentType, body.url);
	const base = { url: address, finalUrl: body.url, contentType: body.contentType || "unknown" };
	if (kind === "binary") throw unsupported(body);
	if (kind === "document") return { ...base, ...(await toDocumentText(body, job)) };
	const decoded = cleanOutsideText(decodeText(body.bytes, body.contentType).text);
	const { title, text, warning } = job.raw
		? { title: nameOf(body.url), text: decoded }
		: await toText(kind, decoded, body.url, job);
	const { truncated } = body;
	const cut = truncated
		? `Only the first ${body.bytes.byteLength} bytes were read (web.maxResponseBytes).`
		: undefined;
	return { ...base, title, text, truncated, ...defined({ warning: joinNotes(cut, warning) }) };
}

interface ReadText {
	readonly title: string;
	readonly text: string;
	readonly warning?: string | undefined;
}

async function toText(kind: ContentKind, decoded: string, url: string, job: PageJob): Promise<ReadText> {
	if (kind === "html") return await toPageText(decoded, url, job);
	const feed = kind === "feed" ? renderFeed(decoded) : undefined;
	if (feed) return { title: feed.title, text: feed.markdown };
	return { title: nameOf(url), text: decoded };
}

async function toPageText(html: string, url: string, job: PageJob): Promise<ReadText> {
	const page = await job.convertPage(html, url, job.signal);
	const title = page.title || nameOf(url);
	const isThin = page.needsScripts || page.markdown.length < FEW_CHARS;
	if (!job.preferReader && !isThin) return { title, text: page.markdown, warning: page.warning };
	const reader = await tryReader(url, job);
	if (reader.text !== undefined)
		return { title, text: cleanOutsideText(reader.text), warning: "Read by r.jina.ai." };
	const scripts = page.needsScripts ? "The page is drawn by scripts, which are not run here." : undefined;
	return { title, text: page.markdown, warning: joinNotes(page.warning, scripts, reader.note) };
}

/** The address leaves the machine, so it takes the user's consent and a host that everybody can reach. */
async function tryReader(
	url: string,
	{ signal, preferReader, config, client, reader, isPublicHost }: PageJob,
): Promise<{ text?: string; note?: string }> {
	if (!config.enableJinaFallback)
		return preferReader ? { note: "The hosted reader is off (web.enableJinaFallback)." } : {};
	if (!(await isPublicHost(new URL(url).hostname)))
		return { note: "Private addresses are not sent to the reader." };
	const limits = { timeoutMs: config.jinaTimeoutMs, maxBytes: config.maxResponseBytes, signal };
	const text = await readWithReader(url, { ...reader, client }, limits);
	return text === undefined ? { note: "The hosted reader gave nothing." } : { text };
}

async function toDocumentText(
	body: FetchedBody,
	{ signal, convertDocument }: PageJob,
): Promise<Pick<FetchedDocument, "title" | "text" | "truncated">> {
	if (!convertDocument) throw unsupported(body);
	if (body.truncated)
		throw new WebError(
			"CONTENT_FETCH_TOO_LARGE",
			`${body.url} is a document of more than ${body.bytes.byteLength} bytes, which cannot be converted in part.`,
		);
	const { contentType } = body;
	const fileName = nameOf(body.url);
	const hint = { ...(fileName && { fileName }), ...(contentType && { contentType }) };
	const converted = await convertDocument(body.bytes, hint, signal);
	if (!converted.ok)
		throw new WebError(toKnownCode(converted.code), `${body.url}: ${converted.message} (${converted.code})`);
	const { markdown, title, truncated } = converted;
	return { title: title || fileName, text: cleanOutsideText(markdown), truncated };
}

function unsupported(body: FetchedBody): WebError {
	const type = body.contentType || "an unknown type";
	return new WebError(
		"CONTENT_UNSUPPORTED",
		`${body.url} is ${type}, which has no text that could be shown.`,
	);
}

/** The converter has its own codes; those that mean the same here keep their name. */
function toKnownCode(code: string): WebErrorCode {
	return WEB_ERROR_CODES.find((known) => known === code) ?? "CONTENT_FETCH_FAILED";
}

function nameOf(url: string): string {
	return decodePercent(basename(URL.parse(url)?.pathname ?? ""));
}

function joinNotes(...notes: readonly (string | undefined)[]): string | undefined {
	return notes.filter((note) => note !== undefined).join(" ") || undefined;
}
