import { asText, collapseSpace, cutBetweenWords, defined, isObject, type JsonObject } from "@deputize/ground";
import { LoopError } from "../loop-error.ts";

const MAX_MESSAGE_CHARS = 600;
const TRANSIENT = /overloaded|rate_limit|server_error|api_error|timeout|unavailable|internal/i;

interface ProviderComplaint {
	readonly message: string;
	readonly code: string;
	readonly parameter?: string;
}

/**
 * Every shape in which providers and gateways write an error: `{error:{message,type,code,param}}`, `{error:"text"}`,
 * a flat `{code,message}`, and lists of one.
 */
export function parseComplaint(body: unknown): ProviderComplaint | undefined {
	const outer = Array.isArray(body) ? body[0] : body;
	if (!isObject(outer)) return undefined;
	const inner = outer["error"] ?? outer["errors"] ?? outer["detail"];
	if (typeof inner === "string") return { message: inner, code: asText(outer["code"]) };
	const fields = isObject(inner) ? inner : outer;
	const message = asText(fields["message"]) || asText(outer["message"]);
	const code =
		[fields["code"], fields["type"], fields["status"]].map(toErrorCode).find((text) => text !== "") ?? "";
	if (message === "" && !isObject(inner)) return undefined;
	const parameter = asText(fields["param"]) || undefined;
	return { message, code: code === "error" ? "" : code, ...defined({ parameter }) };
}

function toErrorCode(value: unknown): string {
	return typeof value === "number" ? String(value) : asText(value);
}

/** An error that arrived inside a stream, or as a 200 with an error in it. */
export function toStreamError(event: JsonObject): LoopError {
	const { message, code, ...facts } = parseComplaint(event) ?? { message: "", code: "" };
	return new LoopError(
		"provider_error",
		`The provider reported an error${code === "" ? "" : ` (${code})`}: ${toShortLine(message) || "no message given"}`,
		{ ...facts, retryable: TRANSIENT.test(code) || code === "429" || code.startsWith("5") },
	);
}

export function toShortLine(text: string): string {
	return cutBetweenWords(collapseSpace(text), MAX_MESSAGE_CHARS);
}

/** A stream that ended before its terminal event: never a success, however good the text looks. */
export function truncatedStream(detail: string): LoopError {
	return new LoopError("stream_truncated", `The provider's answer was cut off: ${detail}.`, {
		retryable: true,
	});
}

export function outputLimit(reason: string): LoopError {
	return new LoopError(
		"output_limit",
		`The model reached its output limit (${reason}) before it finished; the text so far is incomplete. Raise max_tokens or ask for less.`,
	);
}

export function contentFilter(): LoopError {
	return new LoopError("content_filter", "The provider's content filter ended the answer.");
}

export function refusal(text: string): LoopError {
	const said = toShortLine(text);
	return new LoopError("refusal", `The model refused to answer${said === "" ? "." : `: ${said}`}`);
}

/** `{"error": …}` where an answer was expected, in any of the three stream formats. */
export function isErrorEvent(event: JsonObject): boolean {
	if (event["type"] === "error") return true;
	const error = event["error"];
	if (error === undefined || error === null) return false;
	return event["type"] === undefined && (isObject(error) || typeof error === "string");
}

/** A page of a gateway: its title says more than its markup. */
export function describeText(text: string): string {
	const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
	if (title !== undefined) return `a web page titled "${toShortLine(title)}"`;
	const visible = cutBetweenWords(text, 1000).replace(/<[^>]*>/g, " ");
	return cutBetweenWords(toShortLine(visible), 200);
}
