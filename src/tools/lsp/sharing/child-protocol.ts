import { isObject, parseJsonObject } from "@deputize/ground";
import type { ToolOutcome } from "../../../contract/tool.ts";

/**
 * Between a child and its parent: one connection per call, one JSON line from the child, then progress lines and
 * one outcome from the parent. Closing the connection cancels the call.
 */
export interface ChildQuestion {
	readonly token: string;
	readonly cwd: string;
	readonly input: unknown;
}

type ParentLine =
	| { readonly kind: "progress"; readonly line: string }
	| { readonly kind: "outcome"; readonly outcome: ToolOutcome }
	/** The parent does not serve this caller. */
	| { readonly kind: "refused"; readonly reason: string };

export function parseChildQuestion(line: string): ChildQuestion | undefined {
	const value = parseJsonObject(line);
	if (value === undefined) return undefined;
	const { token, cwd, input } = value;
	if (typeof token !== "string" || typeof cwd !== "string" || !cwd.startsWith("/")) return undefined;
	return { token, cwd, input };
}

export function parseParentLine(line: string): ParentLine | undefined {
	const value = parseJsonObject(line);
	if (value === undefined) return undefined;
	if (value["kind"] === "progress" && typeof value["line"] === "string") {
		return { kind: "progress", line: value["line"] };
	}
	if (value["kind"] === "refused") return { kind: "refused", reason: String(value["reason"]) };
	const outcome = value["outcome"];
	if (value["kind"] !== "outcome" || !isObject(outcome)) return undefined;
	const { text, details, isError } = outcome;
	if (typeof text !== "string" || !isObject(details) || typeof isError !== "boolean") return undefined;
	return { kind: "outcome", outcome: { text, details, isError } };
}

export function renderLine(message: ChildQuestion | ParentLine): string {
	return `${JSON.stringify(message)}\n`;
}
