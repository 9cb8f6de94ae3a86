import { WebError } from "../web-error.ts";

export const MAX_URL_CHARS = 8192;

/** Makes a URL out of what a model wrote: absolute, http or https, and without a name and password in it. */
export function parseWebUrl(text: string): URL {
	const trimmed = text.trim();
	if (trimmed.length > MAX_URL_CHARS)
		throw invalid(`The URL has ${trimmed.length} characters; at most ${MAX_URL_CHARS} are accepted.`);
	const url = URL.parse(trimmed);
	if (!url)
		throw invalid(`"${shorten(trimmed)}" is not an absolute URL. Give one such as https://example.org/page.`);
	if (url.protocol === "file:")
		throw invalid(
			`"${shorten(trimmed)}" is a local file. Only http and https are fetched; use the read tool for files.`,
		);
	if (url.protocol !== "http:" && url.protocol !== "https:")
		throw invalid(`"${shorten(trimmed)}" uses ${url.protocol} but only http and https are fetched.`);
	if (url.username !== "" || url.password !== "")
		throw invalid(`The URL for ${url.host} carries a user name or password. Remove it and try again.`);
	if (url.hostname === "") throw invalid(`"${shorten(trimmed)}" has no host.`);
	return url;
}

function invalid(message: string): WebError {
	return new WebError("CONTENT_FETCH_INVALID_URL", message);
}

function shorten(text: string): string {
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
