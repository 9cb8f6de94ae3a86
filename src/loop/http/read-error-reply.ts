import { defined, parseJson, parseRetryAfter } from "@deputize/ground";
import { LoopError } from "../loop-error.ts";
import { describeText, parseComplaint, toShortLine } from "../providers/provider-errors.ts";
import type { HttpReply } from "./open-reply.ts";
import type { SilenceWatch } from "./watch-silence.ts";

const MAX_ERROR_BODY_BYTES = 64 * 1024;
const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** Turns a refusal of the server into the error it means. */
export async function readErrorReply(reply: HttpReply, watch: SilenceWatch): Promise<LoopError> {
	const text = await readBounded(reply, watch);
	const complaint = parseComplaint(parseJson(text));
	const said =
		complaint === undefined ? describeText(text) : toShortLine(complaint.message || complaint.code);
	const decision = reply.header("x-should-retry");
	const retryAfterMs = parseRetryAfter(reply.header, Date.now());
	return new LoopError(
		reply.status === 429 ? "rate_limited" : "http_error",
		`The provider answered ${reply.status}${said === "" ? " with no explanation." : `: ${said}`}`,
		{
			status: reply.status,
			retryable: decision === "" ? RETRYABLE_STATUS.has(reply.status) : decision === "true",
			...defined({ retryAfterMs, parameter: complaint?.parameter }),
		},
	);
}

async function readBounded(reply: HttpReply, watch: SilenceWatch): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of reply.body) {
			watch.alive();
			chunks.push(chunk as Buffer);
			bytes += (chunk as Buffer).length;
			if (bytes >= MAX_ERROR_BODY_BYTES) break;
		}
	} catch {
		// What arrived before the connection broke is still the best explanation there is.
		if (watch.signal.aborted) throw watch.signal.reason;
	}
	return Buffer.concat(chunks).subarray(0, MAX_ERROR_BODY_BYTES).toString("utf8");
}
