import { openReply } from "./http/open-reply.ts";
import { chooseRetryDelay } from "./http/parse-retry-after.ts";
import { readAnswer } from "./http/read-answer.ts";
import { readErrorReply } from "./http/read-error-reply.ts";
import { watchSilence } from "./http/watch-silence.ts";
import { LoopError, toLoopError } from "./loop-error.ts";
import { negotiateRequest, type RequestEdit } from "./negotiate-request.ts";
import type {
	JsonObject,
	NativeOutput,
	Provider,
	ResponsesDialect,
	StreamDecoder,
	TurnOutcome,
	TurnRequest,
	TurnSink,
} from "./providers/provider.ts";

const MAX_RETRIES = 2;
const MAX_EDITS = 6;

/** How structured output is asked for, from the provider's own mode down to words in the prompt. */
export type OutputLevel = "native" | "json_object" | "prompt";

/** What this server taught us; kept for the rest of the run so that each lesson costs one request. */
export interface Adaptation {
	readonly edits: RequestEdit[];
	outputLevel: OutputLevel;
	dialect: ResponsesDialect | undefined;
}

export interface TurnSender {
	readonly provider: Provider;
	readonly url: string;
	readonly key: string;
	readonly signal: AbortSignal;
	readonly idleTimeoutMs: number;
	readonly adaptation: Adaptation;
	/** What the turn asks for, given what the server was found to support. */
	readonly describeTurn: (level: OutputLevel) => { readonly system: string; readonly output?: NativeOutput };
	readonly onBackoff?: (waiting: boolean) => void;
	readonly onNotice?: (line: string) => void;
	readonly random?: () => number;
}

/** Counts what reached the caller: after the first piece of an answer nothing is tried again. */
export interface TurnOutlet extends TurnSink {
	hasOutput(): boolean;
	/** Returns what to wait for before reading on, when the caller does not keep up. */
	flush(): Promise<void> | undefined;
}

export type TurnBasis = Omit<TurnRequest, "system" | "output" | "dialect">;

export async function sendTurn(
	sender: TurnSender,
	basis: TurnBasis,
	outlet: TurnOutlet,
): Promise<TurnOutcome> {
	for (let retries = 0; ; ) {
		const request = describeRequest(sender, basis);
		const body = sender.adaptation.edits.reduce<JsonObject>(
			(current, edit) => edit.apply(current),
			sender.provider.buildBody(request),
		);
		try {
			return await tryOnce(sender, request, body, outlet);
		} catch (thrown) {
			const error = toLoopError(thrown);
			if (sender.signal.aborted || outlet.hasOutput()) throw error;
			if (adapt(sender, error, body, basis)) continue;
			if (error.facts.retryable !== true || retries >= MAX_RETRIES) throw explain(error, sender);
			await backOff(sender, retries, error);
			retries += 1;
		}
	}
}

function describeRequest(sender: TurnSender, basis: TurnBasis): TurnRequest {
	const { dialect, outputLevel } = sender.adaptation;
	return { ...basis, ...sender.describeTurn(outputLevel), ...(dialect === undefined ? {} : { dialect }) };
}

async function tryOnce(
	sender: TurnSender,
	request: TurnRequest,
	body: JsonObject,
	outlet: TurnOutlet,
): Promise<TurnOutcome> {
	const watch = watchSilence(sender.signal, sender.idleTimeoutMs);
	try {
		const reply = await openReply(
			{ url: sender.url, headers: sender.provider.buildHeaders(sender.key), body: JSON.stringify(body) },
			watch.signal,
		);
		watch.alive();
		if (reply.status < 200 || reply.status >= 300) throw await readErrorReply(reply, watch);
		const decoder = sender.provider.createDecoder(outlet, request, body);
		try {
			await readAnswer({ reply, provider: sender.provider, decoder, watch, flush: () => outlet.flush() });
			return decoder.finish();
		} catch (error) {
			throw withUsage(toLoopError(error), decoder);
		}
	} finally {
		watch.stop();
	}
}

function withUsage(error: LoopError, decoder: StreamDecoder): LoopError {
	return new LoopError(error.code, error.message, { ...error.facts, usage: decoder.usage() });
}

/** True when the request was changed and is worth sending again at once. */
function adapt(sender: TurnSender, error: LoopError, body: JsonObject, basis: TurnBasis): boolean {
	const { adaptation } = sender;
	if (body["previous_response_id"] !== undefined && isRefusal(error) && adaptation.dialect === undefined) {
		adaptation.dialect = "openai";
		sender.onNotice?.("previous_response_id was refused; the conversation is sent whole");
		return true;
	}
	const negotiation = negotiateRequest(error, body, basis.think);
	if (negotiation === undefined) return false;
	if (negotiation.kind === "weaker-output") {
		if (adaptation.outputLevel === "prompt") return false;
		adaptation.outputLevel = adaptation.outputLevel === "native" ? "json_object" : "prompt";
		sender.onNotice?.(`structured output was refused; trying ${adaptation.outputLevel}`);
		return true;
	}
	const { edit } = negotiation;
	const known = adaptation.edits.some((earlier) => earlier.key === edit.key);
	if (known || adaptation.edits.length >= MAX_EDITS) return false;
	adaptation.edits.push(edit);
	sender.onNotice?.(`the provider refused a parameter; changed ${edit.key}`);
	return true;
}

function isRefusal(error: LoopError): boolean {
	return [400, 404, 422, 501].includes(error.facts.status ?? 0);
}

async function backOff(sender: TurnSender, retries: number, error: LoopError): Promise<void> {
	const delayMs = chooseRetryDelay(retries, error.facts.retryAfterMs, sender.random ?? Math.random);
	sender.onBackoff?.(true);
	await new Promise<void>((resolve, reject) => {
		const onAbort = () => {
			clearTimeout(timer);
			reject(toLoopError(sender.signal.reason));
		};
		const timer = setTimeout(() => {
			sender.signal.removeEventListener("abort", onAbort);
			resolve();
		}, delayMs);
		sender.signal.addEventListener("abort", onAbort, { once: true });
	});
	sender.onBackoff?.(false);
}

function explain(error: LoopError, sender: TurnSender): LoopError {
	if (error.facts.status !== 401 && error.facts.status !== 403) return error;
	if (sender.key !== "") return error;
	return new LoopError(
		error.code,
		`${error.message} No API key was sent: the variable named by api_key_name is not set.`,
		error.facts,
	);
}
