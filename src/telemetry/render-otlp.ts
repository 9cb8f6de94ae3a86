import { defined } from "@deputize/ground";
import { readPackageVersion } from "../contract/read-package-version.ts";
import type { AttributeValue, Span } from "./to-spans.ts";

const KINDS = { internal: 1, client: 3 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** The trace is sampled, and it is known whether its parent is in another process. */
const FLAGS = 0x101;
const PARENT_IS_REMOTE = 0x200;

/** The body of a request to `/v1/traces`, in the JSON form of OTLP. */
export function renderOtlp(spans: readonly Span[], resource: Readonly<Record<string, string>>): string {
	return JSON.stringify({
		resourceSpans: [
			{
				resource: { attributes: toAttributes(resource), droppedAttributesCount: 0 },
				scopeSpans: [
					{ scope: { name: "deputize", version: readPackageVersion() }, spans: spans.map(toOtlpSpan) },
				],
			},
		],
	});
}

function toOtlpSpan(span: Span) {
	const { traceId, spanId, parentSpanId, traceState, name, error } = span;
	return {
		traceId,
		spanId,
		...defined({ parentSpanId, traceState }),
		name,
		kind: KINDS[span.kind],
		startTimeUnixNano: toNanoseconds(span.startMs),
		endTimeUnixNano: toNanoseconds(span.endMs),
		attributes: toAttributes(span.attributes),
		droppedAttributesCount: 0,
		events: [],
		droppedEventsCount: 0,
		status:
			error === undefined
				? { code: STATUS_UNSET }
				: { code: STATUS_ERROR, ...(error === "" ? {} : { message: error }) },
		links: [],
		droppedLinksCount: 0,
		flags: FLAGS | (span.isParentRemote ? PARENT_IS_REMOTE : 0),
	};
}

/** More than a double can count. */
function toNanoseconds(milliseconds: number): string {
	return `${Math.round(milliseconds)}000000`;
}

function toAttributes(attributes: Readonly<Record<string, AttributeValue>>) {
	return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: AttributeValue) {
	if (typeof value === "string") return { stringValue: value };
	if (typeof value === "boolean") return { boolValue: value };
	return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}
