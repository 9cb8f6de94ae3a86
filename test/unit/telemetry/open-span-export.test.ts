import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/usage.ts";
import type { RunEnd, RunStart } from "../../../src/journal/run-event.ts";
import { openSpanExport } from "../../../src/telemetry/open-span-export.ts";

const START = { type: "start", at: 1, start: { name: "explorer" } } as unknown as RunStart;
const END: RunEnd = { type: "end", at: 2, ok: true, usage: NO_USAGE, durationMs: 1 };

it.each([
	["no collector is named", {}],
	["the name is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
	["OpenTelemetry is switched off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_SDK_DISABLED: "true" }],
	["traces are switched off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_TRACES_EXPORTER: "none" }],
	[
		"the caller does not keep its trace",
		{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", TRACEPARENT: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` },
	],
])("exports nothing when %s", (_when, env) => {
	expect(openSpanExport(env, START)).toBeUndefined();
});

it("sends a run once, with the headers and attributes that the environment names", async () => {
	const received: { path: string | undefined; key: string | string[] | undefined; body: string }[] = [];
	const { promise, resolve } = Promise.withResolvers<void>();
	const server = createServer(async (request, response) => {
		received.push({ path: request.url, key: request.headers["api-key"], body: await text(request) });
		response.end("{}");
		resolve();
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	try {
		const spans = openSpanExport(
			{
				OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
				OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, =nothing, nonsense",
				OTEL_RESOURCE_ATTRIBUTES: "service.name=other,team=blue",
				OTEL_SERVICE_NAME: "mine",
				TRACEPARENT: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
			},
			START,
		);
		spans?.close(END);
		spans?.close(END);
		await promise;
	} finally {
		server.close();
	}
	expect(received).toHaveLength(1);
	expect(received[0]).toMatchObject({ path: "/base/v1/traces", key: "a b" });
	const [{ resource, scopeSpans }] = JSON.parse(received[0]?.body ?? "").resourceSpans;
	expect(scopeSpans[0].spans).toMatchObject([
		{ traceId: "a".repeat(32), parentSpanId: "b".repeat(16), flags: 0x301 },
	]);
	expect(resource.attributes).toEqual([
		{ key: "service.name", value: { stringValue: "mine" } },
		{ key: "team", value: { stringValue: "blue" } },
	]);
});

it("does not fail when the collector is not there", async () => {
	openSpanExport({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, START)?.close(END);
	await new Promise((done) => setTimeout(done, 50));
});
