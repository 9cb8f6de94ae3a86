import { toOneLine } from "@deputize/ground";
import type { DelegationUpdate } from "../../contract/result.ts";
import { renderActivity, renderState } from "../../delegation/render-activity.ts";

/** A sign of life at least this often: clients that wait as long as something comes were seen to give up after 60 s. */
const HEARTBEAT_MS = 10_000;
/** What changes more often than this would only flicker. */
const QUIET_MS = 1000;

/**
 * Sends what a child is doing when it changes, and again while it does not. The number that has to grow is the seconds
 * since the call; there is no honest total.
 */
export function reportProgress(
	send: (progress: { readonly progress: number; readonly message: string }) => void,
	options: { readonly agent: string; readonly heartbeatMs?: number | undefined },
) {
	const startedAt = performance.now();
	let sentAt = Number.NEGATIVE_INFINITY;
	let sentSecond = -1;
	let message = `${options.agent} · starting`;
	let sentMessage = "";

	const say = (): void => {
		sentAt = performance.now();
		sentMessage = message;
		sentSecond = Math.max(sentSecond + 1, Math.floor((sentAt - startedAt) / 1000));
		send({ progress: sentSecond, message });
	};
	const timer = setInterval(say, options.heartbeatMs ?? HEARTBEAT_MS).unref();
	return {
		note(update: DelegationUpdate): void {
			message = renderProgress(options.agent, update);
			if (message !== sentMessage && performance.now() - sentAt >= QUIET_MS) say();
		},
		stop: (): void => clearInterval(timer),
	};
}

function renderProgress(agent: string, { details: { streaming } }: DelegationUpdate): string {
	const doing = renderActivity(streaming);
	return toOneLine([agent, renderState(streaming), ...(doing ? [doing] : [])].join(" · "));
}
