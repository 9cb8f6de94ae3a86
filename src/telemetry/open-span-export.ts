import { decodePercent, type Environment } from "@deputize/ground";
import type { RunEnd, RunEvent, RunStart } from "../journal/run-event.ts";
import { parseTraceparent, type TraceParent } from "./parse-traceparent.ts";

/** Tells the user's collector about a run. Fails silently: a collector that is down is no reason to lose an answer. */
interface SpanExport {
	note(event: RunEvent): void;
	close(end: RunEnd): void;
}

const MAX_EVENTS = 5000;
const SEND_TIMEOUT_MS = 5000;

/**
 * Undefined unless the user's environment names a collector: `OTEL_EXPORTER_OTLP_ENDPOINT`, or the one for traces. A project
 * has no say in it. What was asked and answered is sent only with `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`.
 */
export function openSpanExport(env: Environment, start: RunStart): SpanExport | undefined {
	const address = findAddress(env);
	const parent = parseTraceparent(env["TRACEPARENT"], env["TRACESTATE"]);
	// Whoever decided that this trace is not kept decided it for us too.
	if (address === undefined || parent?.isSampled === false) return undefined;
	const events: RunEvent[] = [];
	let isClosed = false;
	return {
		note(event) {
			if (events.length < MAX_EVENTS) events.push(event);
		},
		close(end) {
			if (isClosed) return;
			isClosed = true;
			void sendSpans(address, env, { start, events, end, parent }).catch(() => undefined);
		},
	};
}

function findAddress(env: Environment): string | undefined {
	if (env["OTEL_SDK_DISABLED"] === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return undefined;
	const own = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
	if (own) return own;
	const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
	return base ? `${base.replace(/\/+$/, "")}/v1/traces` : undefined;
}

interface ExportedRun {
	readonly start: RunStart;
	readonly events: readonly RunEvent[];
	readonly end: RunEnd;
	readonly parent: TraceParent | undefined;
}

async function sendSpans(
	address: string,
	env: Environment,
	{ start, events, end, parent }: ExportedRun,
): Promise<void> {
	const [{ toSpans }, { renderOtlp }] = await Promise.all([
		import("./to-spans.ts"),
		import("./render-otlp.ts"),
	]);
	const withContent = env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] === "true";
	const given = parsePairs(env["OTEL_RESOURCE_ATTRIBUTES"]);
	const resource = {
		...given,
		"service.name": env["OTEL_SERVICE_NAME"] || given["service.name"] || "deputize",
	};
	const response = await fetch(address, {
		method: "POST",
		headers: {
			...parsePairs(env["OTEL_EXPORTER_OTLP_HEADERS"]),
			...parsePairs(env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"]),
			"content-type": "application/json",
		},
		body: renderOtlp(toSpans(start, events, end, { withContent, parent }), resource),
		redirect: "error",
		signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
	});
	await response.body?.cancel();
}

/** `key=value,key=value`, percent-encoded, as OpenTelemetry writes lists in variables. */
function parsePairs(text = ""): Readonly<Record<string, string>> {
	return Object.fromEntries(
		text.split(",").flatMap((pair) => {
			const at = pair.indexOf("=");
			const name = pair.slice(0, Math.max(0, at)).trim();
			// A header without a name would keep everything from being sent.
			return name === "" ? [] : [[name, decodePercent(pair.slice(at + 1).trim())]];
		}),
	);
}
