import { cutText } from "@deputize/ground";
import { WebError } from "../web-error.ts";

const MAX_URL_CHARS = 8192;
const MAX_SHOWN_CHARS = 200;

/** Makes a URL out of what a model wrote: absolute, http or https, and without a name and password in it. */
export function parseWebUrl(text: string): URL {
	const trimmed = text.trim();
	if (trimmed.length > MAX_URL_CHARS)
		throw invalid(`The URL has ${trimmed.length} characters; at most ${MAX_URL_CHARS} are accepted.`);
	const shown = cutText(trimmed, MAX_SHOWN_CHARS);
	const url = URL.parse(trimmed);
	if (!url) throw invalid(`"${shown}" is not an absolute URL. Give one such as https://example.org/page.`);
	if (url.protocol === "file:")
		throw invalid(
			`"${shown}" is a local file. Only http and https are fetched; use the read tool for files.`,
		);
	if (url.protocol !== "http:" && url.protocol !== "https:")
		throw invalid(`"${shown}" uses ${url.protocol} but only http and https are fetched.`);
	if (url.username !== "" || url.password !== "")
		throw invalid(`The URL for ${url.host} carries a user name or password. Remove it and try again.`);
	if (url.hostname === "") throw invalid(`"${shown}" has no host.`);
	return url;
}

function invalid(message: string): WebError {
	return new WebError("CONTENT_FETCH_INVALID_URL", message);
}
