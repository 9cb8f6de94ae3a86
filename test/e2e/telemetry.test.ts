import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPackageVersion } from "../../src/contract/read-package-version.ts";
import { NO_USAGE } from "../../src/contract/usage.ts";
import type { RunEnd, RunEvent, RunStart } from "../../src/journal/run-event.ts";
import { openSpanExport } from "../../src/telemetry/open-span-export.ts";
import { toSpans } from "../../src/telemetry/to-spans.ts";
import { createFaultBench, posedPi } from "../helpers/process-faults.ts";

const peers = createRequire(join(import.meta.dirname, "../peers/package.json"));

interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

let collector: Server;
let received: Received[];
let waiting: ((request: Received) => void) | undefined;
let endpoint: string;

beforeEach(async () => {
	received = [];
	collector = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = Buffer.concat(chunks).toString("utf8");
			const one = { path: request.url ?? "", headers: request.headers, body };
			received.push(one);
			response.setHeader("content-type", "application/json");
			response.end("{}");
			waiting?.(one);
		});
	});
	await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
	endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => collector.close(resolve)));

const nextRequest = (): Promise<Received> =>
	new Promise((resolve) => {
		waiting = resolve;
	});

const text = <Text extends string>(value: string) => value as Text;
const START: RunStart = {
	type: "start",
	at: 1_700_000_000_000,
	start: {
		event: "start",
		time: "2023-11-14T22:13:20.000Z",
		kind: "subagent",
		name: "explorer",
		runId: "r1",
		summary: text("Where is it?"),
		cwd: text("/p"),
		sessionId: "s1",
		source: "builtin",
		model: "anthropic/claude-x",
		process: { pid: 1, host: "h" },
	} as unknown as RunStart["start"],
	task: text("Where is it?"),
	tools: ["read"],
	runtime: "pi",
	sessionFile: "/s",
};
const EVENTS: readonly RunEvent[] = [
	{ type: "turn", at: START.at + 10 },
	{ type: "call", at: START.at + 30, id: "c1", name: "read", args: { path: "a.ts" } },
	{ type: "result", at: START.at + 40, id: "c1", isError: true },
	{
		type: "message",
		at: START.at + 50,
		text: text("Here."),
		model: "anthropic/claude-x-2",
		usage: { ...NO_USAGE, input: 10, cacheRead: 5, output: 3, turns: 1 },
	},
];
const END: RunEnd = {
	type: "end",
	at: START.at + 60,
	ok: false,
	code: "SUBAGENT_FAILED",
	cause: "rate_limited",
	usage: { ...NO_USAGE, input: 10, cacheRead: 5, output: 3, turns: 1 },
	durationMs: 60,
};

/** Equal bodies are equal here: ids are numbered, attributes sorted, optional counters and flags left out. */
function normalize(body: string): unknown {
	const ids = new Map<string, string>();
	const drop = new Set(["flags", "droppedAttributesCount", "droppedEventsCount", "droppedLinksCount"]);
	const parsed = JSON.parse(body, (key, value: unknown) => {
		if (drop.has(key)) return undefined;
		if (key === "attributes" && Array.isArray(value))
			return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
		return value;
	}) as { resourceSpans: { scopeSpans: { spans: Record<string, string>[] }[] }[] };
	for (const { scopeSpans } of parsed.resourceSpans)
		for (const scope of scopeSpans) {
			scope.spans.sort((a, b) => ((a["name"] ?? "") < (b["name"] ?? "") ? -1 : 1));
			for (const span of scope.spans)
				for (const key of ["traceId", "spanId", "parentSpanId"]) {
					const id = span[key];
					if (id === undefined) continue;
					if (!ids.has(id)) ids.set(id, `${id.length} characters, no. ${ids.size}`);
					span[key] = ids.get(id) ?? "";
				}
		}
	return parsed;
}

async function sendWithOfficialExporter(url: string): Promise<void> {
	const { OTLPTraceExporter } = peers("@opentelemetry/exporter-trace-otlp-http");
	const sdk = peers("@opentelemetry/sdk-trace");
	const { resourceFromAttributes } = peers("@opentelemetry/resources");
	const { trace, ROOT_CONTEXT } = peers("@opentelemetry/api");
	const processor = new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) });
	const provider = new sdk.TracerProvider({
		resource: resourceFromAttributes({ "service.name": "deputize" }),
		spanProcessors: [processor],
	});
	const tracer = provider.getTracer("deputize", readPackageVersion());
	let parent = ROOT_CONTEXT;
	for (const span of toSpans(START, EVENTS, END, { withContent: false })) {
		const kind = span.kind === "client" ? 2 : 0;
		const official = tracer.startSpan(
			span.name,
			{ kind, startTime: span.startMs, attributes: span.attributes },
			parent,
		);
		if (span.error !== undefined) official.setStatus({ code: 2 });
		official.end(span.endMs);
		if (parent === ROOT_CONTEXT) parent = trace.setSpan(ROOT_CONTEXT, official);
	}
	await processor.forceFlush();
	await provider.shutdown();
}

describe("a run for the user's collector", () => {
	it("is sent as the official exporter would send it", async () => {
		const ours = nextRequest();
		const spans = openSpanExport({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }, START);
		for (const event of EVENTS) spans?.note(event);
		spans?.close(END);
		spans?.close(END);
		const { path, headers, body } = await ours;
		expect(path).toBe("/v1/traces");
		expect(headers["content-type"]).toBe("application/json");
		waiting = undefined;
		await sendWithOfficialExporter(`${endpoint}/v1/traces`);
		expect(received).toHaveLength(2);
		expect(normalize(body)).toEqual(normalize(received[1]?.body ?? ""));
		// Nothing of what was said.
		expect(body).not.toMatch(/Where is it|Here\.|a\.ts/);
	});

	it("has what was said only when the user asks for it, and takes headers and names from the environment", async () => {
		const request = nextRequest();
		const spans = openSpanExport(
			{
				OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/own`,
				OTEL_EXPORTER_OTLP_HEADERS: "x-team=a%20b,broken",
				OTEL_SERVICE_NAME: "mine",
				OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
			},
			START,
		);
		for (const event of EVENTS) spans?.note(event);
		spans?.close(END);
		const { path, headers, body } = await request;
		expect(path).toBe("/own");
		expect(headers["x-team"]).toBe("a b");
		expect(body).toContain('{"stringValue":"mine"}');
		expect(body).toContain("Where is it?");
		expect(body).toContain("Here.");
	});

	it("is nobody's business without a collector, or when telemetry is off", () => {
		const set = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
		expect(openSpanExport({}, START)).toBeUndefined();
		expect(openSpanExport({ ...set, OTEL_SDK_DISABLED: "true" }, START)).toBeUndefined();
		expect(openSpanExport({ ...set, OTEL_TRACES_EXPORTER: "none" }, START)).toBeUndefined();
	});

	it("comes from a real delegation, and a collector that is gone costs nothing", async () => {
		const bench = createFaultBench();
		try {
			const request = nextRequest();
			const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
			const result = await bench.delegateTo(posedPi("good-run"), { env });
			expect(result.isError).toBe(false);
			const { body } = await request;
			expect(body).toContain('"invoke_agent prober"');
			expect(body).toContain('"chat');
			const gone = await bench.delegateTo(posedPi("good-run"), {
				env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
			});
			expect(gone.isError).toBe(false);
		} finally {
			bench.remove();
		}
	});
});
