import { parseJsonObject, parseWith } from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import { UNRESPONSIVE } from "../../contract/loop.ts";

const PREFIX = "data: ";
/** What the program reports about itself. Everything else in a `child_event` is ignored. */
const REPORTED = new Set([
	"turn-start",
	"assistant-message",
	"tool-start",
	"tool-end",
	"extra-usage",
	"backoff-start",
	"backoff-end",
	"correction",
]);

/** One line of the program's output as events of the contract; undefined for a line that carries nothing. */
export function parseLoopEvent(line: Buffer): ChildEvent | undefined {
	if (line.length < PREFIX.length || line.toString("latin1", 0, PREFIX.length) !== PREFIX) return undefined;
	const data = parseJsonObject(line.toString("utf8", PREFIX.length));
	const delta = typeof data?.["delta"] === "string" ? data["delta"] : "";
	if (data?.["type"] === "output_text") return delta === "" ? undefined : { type: "text-delta", text: delta };
	if (data?.["type"] === "error" && data["code"] === UNRESPONSIVE) return { type: "crashed", message: delta };
	if (data?.["type"] === "response_end") return { type: "settled", aborted: false };
	if (data?.["type"] !== "child_event") return undefined;
	return parseWith<ChildEvent>(parseJsonObject(delta), { type: (type) => REPORTED.has(String(type)) });
}
