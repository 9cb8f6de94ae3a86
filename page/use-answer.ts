import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RunEvent } from "../src/journal/run-event.ts";

export interface Answer<Value> {
	readonly value?: Value;
	readonly error?: string;
	readonly reload: () => void;
}

/** At most one question in this time, however much happens. */
const RELOAD_MS = 250;

/** Asks the server, again when the path changes or `reload` is called. The old answer stays until the new one is there. */
export function useAnswer<Value>(path: string): Answer<Value> {
	const [state, setState] = useState<{ path: string; value?: Value; error?: string }>({ path });
	const timer = useRef(0);
	const askedAt = useRef(0);
	const ask = useCallback(async () => {
		askedAt.current = Date.now();
		try {
			const reply = await fetch(path);
			if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
			const value = (await reply.json()) as Value;
			setState({ path, value });
		} catch (error) {
			setState((before) => ({ ...before, error: String(error instanceof Error ? error.message : error) }));
		}
	}, [path]);
	const reload = useCallback(() => {
		clearTimeout(timer.current);
		timer.current = window.setTimeout(ask, Math.max(0, askedAt.current + RELOAD_MS - Date.now()));
	}, [ask]);
	useEffect(() => {
		void ask();
		return () => clearTimeout(timer.current);
	}, [ask]);
	return { ...(state.path === path || state.value ? state : {}), reload };
}

/** What the server tells as it happens: that runs have changed, and the events of one run. */
export function useLive(
	runId: string | undefined,
	listen: { readonly onRuns?: () => void; readonly onEvents?: (events: readonly RunEvent[]) => void },
): boolean {
	const [isOpen, setOpen] = useState(true);
	const latest = useRef(listen);
	latest.current = listen;
	useEffect(() => {
		const source = new EventSource(`api/live${runId ? `?run=${runId}` : ""}`);
		source.addEventListener("runs", () => latest.current.onRuns?.());
		source.addEventListener("events", (event) =>
			latest.current.onEvents?.(JSON.parse((event as MessageEvent<string>).data)),
		);
		source.onopen = () => setOpen(true);
		source.onerror = () => setOpen(false);
		return () => source.close();
	}, [runId]);
	return isOpen;
}
