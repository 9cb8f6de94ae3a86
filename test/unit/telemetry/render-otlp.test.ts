import { expect, it } from "vitest";
import { renderOtlp } from "../../../src/telemetry/render-otlp.ts";
import type { Span } from "../../../src/telemetry/to-spans.ts";

const SPAN: Span = {
	traceId: "t",
	spanId: "s",
	name: "chat",
	kind: "client",
	startMs: 1_763_260_000_000.4,
	endMs: 1_763_260_000_001,
	attributes: { text: "a", whole: 3, part: 0.5, flag: true },
};

function render(span: Span) {
	const { resourceSpans } = JSON.parse(renderOtlp([span], { "service.name": "deputize" }));
	return { resource: resourceSpans[0].resource, span: resourceSpans[0].scopeSpans[0].spans[0] };
}

it("writes times as nanoseconds in strings, which a double could not count", () => {
	expect(render(SPAN).span).toMatchObject({
		startTimeUnixNano: "1763260000000000000",
		endTimeUnixNano: "1763260000001000000",
		kind: 3,
	});
});

it("writes every attribute with its type", () => {
	const { span, resource } = render(SPAN);
	expect(span.attributes).toEqual([
		{ key: "text", value: { stringValue: "a" } },
		{ key: "whole", value: { intValue: 3 } },
		{ key: "part", value: { doubleValue: 0.5 } },
		{ key: "flag", value: { boolValue: true } },
	]);
	expect(resource.attributes).toEqual([{ key: "service.name", value: { stringValue: "deputize" } }]);
});

it("writes a status only when the step failed, with words only when there are some", () => {
	expect(render(SPAN).span).toMatchObject({ status: { code: 0 } });
	expect(render(SPAN).span).not.toHaveProperty("parentSpanId");
	expect(render({ ...SPAN, error: "" }).span.status).toEqual({ code: 2 });
	expect(render({ ...SPAN, error: "gone", parentSpanId: "p" }).span).toMatchObject({
		parentSpanId: "p",
		status: { code: 2, message: "gone" },
	});
});
