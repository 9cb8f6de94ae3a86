export type AttributeValue = string | number | boolean;

/** One step of a run, as OpenTelemetry counts them. Times in milliseconds since 1970. */
export interface Span {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly kind: "internal" | "client";
	readonly startMs: number;
	readonly endMs: number;
	readonly attributes: Readonly<Record<string, AttributeValue>>;
	/** Present when the step failed. */
	readonly error?: string;
}
