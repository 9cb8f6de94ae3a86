import { expect, it } from "vitest";
import { parseTraceparent } from "../../../src/telemetry/parse-traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

it.each([
	[`00-${TRACE}-${SPAN}-01`, true],
	[`00-${TRACE}-${SPAN}-00`, false],
	[`00-${TRACE}-${SPAN}-03`, true],
	// A later version may have more to say.
	[`cc-${TRACE}-${SPAN}-01-what-comes-later`, true],
])("%s is a parent", (text, isSampled) => {
	expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
	expect(parseTraceparent(text, "a=b")).toMatchObject({ state: "a=b" });
});

it.each([
	"",
	"nonsense",
	`ff-${TRACE}-${SPAN}-01`,
	`00-${"0".repeat(32)}-${SPAN}-01`,
	`00-${TRACE}-${"0".repeat(16)}-01`,
	`00-${TRACE.toUpperCase()}-${SPAN}-01`,
	`00-${TRACE}-${SPAN}`,
	`00-${TRACE}-${SPAN}-1`,
])("%j is none", (text) => {
	expect(parseTraceparent(text)).toBeUndefined();
});
