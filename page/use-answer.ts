import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RunEvent } from "../src/journal/run-event.ts";

export interface Answer<Value> {
	readonly value?: Value;
	readonly error?: string;
	readonly reload: () => void;
}

/** At most one question in this time, however much happens; in more, when an answer takes long. */
const RELOAD_MS = 150;
const RELOAD_FACTOR = 4;

/** Asks the server, again when the path changes or `reload` is called. The old answer stays until the new one is there. */
export function useAnswer<Value>(path: string): Answer<Value> {
	const [state, setState] = useState<{ value?: Value; error?: string }>({});
	const timer = useRef(0);
	const askedAt = useRef(0);
	const shownAt = useRef(0);
	const tookMs = useRef(0);
	const ask = useCallback(async () => {
		const at = performance.now();
		askedAt.current = at;
		const show = (next: typeof state) => {
			tookMs.current = performance.now() - at;
			// Answers may overtake each other; an old one must not replace a newer one.
			if (at < shownAt.current) return;
			shownAt.current = at;
			setState((before) => ({ ...before, ...next }));
		};
		try {
			const reply = await fetch(path);
			if (!reply.ok) throw new Error(await reply.text());
			show({ value: await reply.json() });
		} catch (error) {
			show({ error: (error as Error).message });
		}
	}, [path]);
	const reload = useCallback(() => {
		clearTimeout(timer.current);
		const pauseMs = Math.max(RELOAD_MS, tookMs.current * RELOAD_FACTOR);
		timer.current = window.setTimeout(ask, askedAt.current + pauseMs - performance.now());
	}, [ask]);
	useEffect(() => {
		void ask();
		return () => clearTimeout(timer.current);
	}, [ask]);
	return { ...state, reload };
}

/** The same, and again whenever runs change. */
export function useLiveAnswer<Value>(path: string): Answer<Value> {
	const answer = useAnswer<Value>(path);
	useLive(answer.reload);
	return answer;
}

/**
 * What the server sends as it happens: that runs have changed, and the events of one run. Only while the page can be
 * seen: a browser opens six connections to one server, which as many forgotten tabs would take.
 */
export function useLive(
	onRuns: () => void,
	runId = "",
	onEvents?: (events: readonly RunEvent[]) => void,
): void {
	const latest = useRef({ onRuns, onEvents });
	latest.current = { onRuns, onEvents };
	useEffect(() => {
		let source: EventSource | undefined;
		const connect = () => {
			source?.close();
			if (document.hidden) return;
			source = new EventSource(`api/live?run=${runId}`);
			const hear = () => {
				dispatchEvent(new CustomEvent("live", { detail: true }));
				latest.current.onRuns();
			};
			// Something may have happened before the connection was there.
			source.onopen = hear;
			source.onerror = () => dispatchEvent(new CustomEvent("live"));
			source.addEventListener("runs", hear);
			source.addEventListener("events", ({ data }) => latest.current.onEvents?.(JSON.parse(data)));
		};
		connect();
		document.addEventListener("visibilitychange", connect);
		return () => {
			document.removeEventListener("visibilitychange", connect);
			source?.close();
		};
	}, [runId]);
}
