/** The step of another program that a run is a part of, as the W3C's Trace Context writes it. */
export interface TraceParent {
	readonly traceId: string;
	readonly spanId: string;
	readonly isSampled: boolean;
	/** `TRACESTATE`, passed on as it is. */
	readonly state?: string;
}

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const SAMPLED = 0x01;
const MAX_STATE_CHARS = 512;

/** `TRACEPARENT`; undefined when it is not one, which is not an error: the run then begins a trace of its own. */
export function parseTraceparent(text = "", state = ""): TraceParent | undefined {
	const [, traceId, spanId, flags = "00"] = FORM.exec(text.trim()) ?? [];
	if (traceId === undefined || spanId === undefined) return undefined;
	const isSampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
	return { traceId, spanId, isSampled, ...(state === "" || state.length > MAX_STATE_CHARS ? {} : { state }) };
}
