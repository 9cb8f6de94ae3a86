import { messageOf, onAbort, sleep } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/** Repeats a command while the server is gone. Undefined when the signal was aborted meanwhile. */
export type Persist = <Value>(command: () => Promise<Value>) => Promise<Value | undefined>;

export function createPersist(signal: AbortSignal, notice: (line: string) => void): Persist {
	return async (command) => {
		let since: number | undefined;
		const complain = (error: unknown): void => {
			const reason = messageOf(error);
			if (since === undefined) notice(`The queue does not answer (${reason}). Trying again…`);
			since ??= Date.now();
			if (Date.now() - since <= QUEUE_LIMITS.maxUnreachableMs) return;
			const minutes = QUEUE_LIMITS.maxUnreachableMs / 60_000;
			throw new BatchError(
				`The queue has not answered for ${minutes} minutes (${reason}). Run the same command when it is back.`,
			);
		};
		do {
			try {
				const value = await untilAborted(command(), signal, complain);
				if (since !== undefined && value !== undefined) notice("The queue answers again.");
				return value;
			} catch (error) {
				if (error instanceof BatchError) throw error;
				complain(error);
			}
		} while (await sleep(QUEUE_LIMITS.retryDelayMs, signal));
		return undefined;
	};
}

/** A command to a lost Redis waits for it: leaving must not, and waiting is said. */
function untilAborted<Value>(
	value: Promise<Value>,
	signal: AbortSignal,
	complain: (error: unknown) => void,
): Promise<Value | undefined> {
	return new Promise((resolve, reject) => {
		const forget = onAbort(signal, () => resolve(undefined));
		const silence = setInterval(() => {
			try {
				complain("no answer");
			} catch (error) {
				reject(error);
			}
		}, QUEUE_LIMITS.silenceMs);
		void value.then(resolve, reject).finally(() => {
			forget();
			clearInterval(silence);
		});
	});
}
