import { defined, type JsonObject } from "@deputize/ground";
import { openReply } from "./http/open-reply.ts";
import { readAnswer } from "./http/read-answer.ts";
import { watchSilence } from "./http/watch-silence.ts";
import { LoopError, toLoopError } from "./loop-error.ts";
import type { TurnOutcome, TurnRequest } from "./providers/provider.ts";
import type { TurnBasis, TurnOutlet, TurnSender } from "./turn-sender.ts";

const MAX_RETRIES = 2;
/** Somebody waits for the reason of a failure. */
const LIST_MS = 3000;

export async function sendTurn(
	sender: TurnSender,
	basis: TurnBasis,
	outlet: TurnOutlet,
): Promise<TurnOutcome> {
	for (let retries = 0; ; ) {
		const { dialect, outputLevel, edits } = sender.adaptation;
		const request = { ...basis, ...sender.describeTurn(outputLevel), ...defined({ dialect }) };
		const body = edits.reduce<JsonObject>(
			(current, edit) => edit.apply(current),
			sender.provider.buildBody(request),
		);
		try {
			return await tryOnce(sender, request, body, outlet);
		} catch (thrown) {
			const error = toLoopError(thrown);
			if (sender.signal.aborted || outlet.hasOutput()) throw error;
			// Loaded only when something went wrong: most runs never need it.
			const recovery = await import("./recover-turn.ts");
			if (recovery.adapt(sender, error, body, basis.think)) continue;
			if (error.facts.retryable !== true || retries >= MAX_RETRIES) {
				const { explainRefusal, mayLackModel } = await import("./explain-refusal.ts");
				const served = mayLackModel(error) ? await findServed(sender) : [];
				throw explainRefusal(error, { ...sender, provider: sender.dialect, model: basis.model, served });
			}
			await recovery.backOff(sender, retries, error);
			retries += 1;
		}
	}
}

/** What the service says that it serves, for a message; nothing when it does not say. */
async function findServed({ dialect, url, headers, key }: TurnSender): Promise<readonly string[]> {
	const { listServiceModels } = await import("../config/list-service-models.ts");
	const served = await listServiceModels({ provider: dialect, url, ...defined({ headers }) }, key, LIST_MS);
	return "problem" in served ? [] : served;
}

async function tryOnce(
	sender: TurnSender,
	request: TurnRequest,
	body: JsonObject,
	outlet: TurnOutlet,
): Promise<TurnOutcome> {
	const { url, contextLength } = sender;
	const text = JSON.stringify(body);
	if (contextLength !== undefined) refuseTooLong(text, contextLength);
	const watch = watchSilence(sender.signal, sender.idleTimeoutMs);
	try {
		const headers = { ...sender.headers, ...sender.provider.buildHeaders(sender.key) };
		const reply = await openReply({ url, headers, body: text }, watch.signal);
		watch.alive();
		if (reply.status < 200 || reply.status >= 300) {
			const { readErrorReply } = await import("./http/read-error-reply.ts");
			throw await readErrorReply(reply, watch);
		}
		const decoder = sender.provider.createDecoder(outlet, request, body);
		try {
			await readAnswer({ reply, provider: sender.provider, decoder, watch, flush: () => outlet.flush() });
			return decoder.finish();
		} catch (thrown) {
			const { code, message, facts } = toLoopError(thrown);
			throw new LoopError(code, message, { ...facts, usage: decoder.usage() });
		}
	} finally {
		watch.stop();
	}
}

/** A token is about four characters. A server that forgets the beginning would forget the task. */
function refuseTooLong(text: string, contextLength: number): void {
	const tokens = Math.ceil(text.length / 4);
	if (tokens <= contextLength) return;
	throw new LoopError(
		"context_too_long",
		`The conversation has about ${tokens} tokens, and the model takes ${contextLength} (contextLength). Ask for less, or take a model with a longer context.`,
	);
}
