import { cutText } from "@deputize/ground";
import type { Activity, StreamingDisplay } from "../contract/result.ts";

export const WAITING = "waiting for a free slot";

/** How far a child is. There is no event of it before its model has the task. */
export function renderState(streaming: StreamingDisplay | undefined): string {
	if (streaming?.waiting) return WAITING;
	if (!streaming || streaming.activity === "starting") return "starting";
	return `turn ${streaming.turnCount + 1}`;
}

/** What a running child is doing, in one line. Empty before its model has the task. */
export function renderActivity(streaming: StreamingDisplay | undefined): string {
	if (!streaming || streaming.waiting || streaming.activity === "starting") return "";
	const tool = streaming.currentTool;
	return tool ? renderCall(tool.name, tool.args) : `${describeActivity(streaming)}…`;
}

const STATES: Readonly<Record<Activity, string>> = {
	starting: "starting",
	"awaiting-model": "waiting for the model",
	thinking: "thinking",
	writing: "writing",
	tool: "running a tool",
	retrying: "the provider failed, waiting to retry",
};

/** The state of a child in a few words that are true at this moment. */
export function describeActivity(streaming: StreamingDisplay | undefined, now: number = Date.now()): string {
	if (streaming?.waiting) return WAITING;
	if (streaming?.currentTool) return `running ${streaming.currentTool.name}`;
	if (streaming?.retryAt !== undefined && streaming.activity === "retrying") {
		const seconds = Math.max(0, Math.ceil((streaming.retryAt - now) / 1000));
		return `the provider failed, retry in ${seconds} s`;
	}
	return STATES[streaming?.activity ?? "starting"];
}

const SHOWN_VALUE_CHARS = 60;
/** What a person wants to know of a call. Limits, offsets and filters are the model's business. */
const TELLING = ["action", "query", "pattern", "command", "url", "path", "file"];

export function renderCall(name: string, args: Readonly<Record<string, unknown>>): string {
	const telling = TELLING.map((key) => args[key]).filter((value) => typeof value === "string");
	const shown =
		telling.length > 0 ? telling : Object.values(args).filter((value) => typeof value === "string");
	return [name, ...shown.map((value) => cutText(value, SHOWN_VALUE_CHARS))].join(" ").replace(/\s+/g, " ");
}
