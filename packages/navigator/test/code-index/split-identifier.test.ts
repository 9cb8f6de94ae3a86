import { describe, expect, it } from "vitest";
import { splitIdentifier } from "../../code-index/split-identifier.ts";

describe("splitIdentifier", () => {
	it.each([
		["readHeaderForRetry", ["read", "header", "for", "retry"]],
		["parseHTTPHeader", ["parse", "http", "header"]],
		["MAX_LINE_BYTES", ["max", "line", "bytes"]],
		["filter-tools.ts", ["filter", "tools", "ts"]],
		["src/wire/parse-sse.ts", ["src", "wire", "parse", "sse", "ts"]],
		["utf8Decoder", ["utf8", "decoder"]],
		["", []],
		["--- ***", []],
	])("takes %s apart", (text, parts) => {
		expect(splitIdentifier(text)).toEqual(parts);
	});
});
