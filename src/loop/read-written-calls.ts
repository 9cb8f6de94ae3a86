import { asObject, asText, isObject, parseJson, parseJsonObject } from "@deputize/ground";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import type { ToolCall } from "./providers/provider.ts";

/** How families of models mark a call in their own words. Servers that know the family read it; others pass it on as text. */
const MARKED = [
	/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g,
	/<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g,
	/\[TOOL_CALLS\]([\s\S]*)$/g,
	/<\|python_tag\|>([\s\S]*?)(?:<\|eom_id\|>|<\|eot_id\|>|$)/g,
];
const FENCED = /^```(?:json|tool_call|tool_code)?\n([\s\S]*)```$/;
/** No model writes longer calls than it can write answers; what is longer is not looked at. */
const MAX_CHARS = 1_000_000;
const MAX_CALLS = 100;

/**
 * Calls of tools that a model wrote as text, as small models on local servers do. Only a text that is nothing but calls, or
 * that marks them, is taken for one, and only if every tool in it was offered: everything else is an answer. Undefined then.
 */
export function readWrittenCalls(
	written: string,
	offered: readonly string[],
): { readonly text: string; readonly calls: readonly ToolCall[] } | undefined {
	if (offered.length === 0 || written.length > MAX_CHARS || !written.includes("{")) return undefined;
	const { text, bodies } = findBodies(written.trim());
	const found = bodies.flatMap((body) => parseCalls(body));
	if (found.length === 0 || found.some((call) => call === undefined || !offered.includes(call.name)))
		return undefined;
	const calls = found.flatMap((call, index) => (call ? [{ id: `written_${index + 1}`, ...call }] : []));
	return { text, calls };
}

type Body = { readonly json: string; readonly name?: string };

function findBodies(text: string): { readonly text: string; readonly bodies: readonly Body[] } {
	for (const pattern of MARKED) {
		const bodies = [...text.matchAll(pattern)].map(([, first = "", second]) =>
			second === undefined ? { json: first } : { json: second, name: first },
		);
		if (bodies.length > 0) return { text: text.replace(pattern, "").trim(), bodies };
	}
	return { text: "", bodies: [{ json: FENCED.exec(text)?.[1] ?? text }] };
}

type Written = Omit<ToolCall, "id">;

/** One object, a list of them, or one on each line. */
function parseCalls({ json, name }: Body): readonly (Written | undefined)[] {
	const whole = parseJson(json);
	if (name !== undefined) return [isObject(whole) ? toWritten(name, whole) : undefined];
	if (Array.isArray(whole)) return whole.map(parseCall);
	if (whole !== undefined) return [parseCall(whole)];
	const lines = json.split(/[;\n]+/).filter((line) => line.trim() !== "");
	return lines.length > MAX_CALLS ? [undefined] : lines.map((line) => parseCall(parseJson(line)));
}

function parseCall(value: unknown): Written | undefined {
	if (!isObject(value)) return undefined;
	const call = isObject(value["function"]) ? value["function"] : value;
	const name = asText(call["name"]);
	const given = call["arguments"] ?? call["parameters"];
	const args = typeof given === "string" ? parseJsonObject(given) : given;
	if (name !== "" && isObject(args)) return toWritten(name, args);
	// Many hand over without the name of the tool.
	const isHandover = value["status"] === "SUCCESS" || value["status"] === "ERROR";
	const hasWords = ["result", "error", "data"].some((field) => value[field] !== undefined);
	return isHandover && hasWords ? toWritten(FINALIZE_TOOL, asObject(value)) : undefined;
}

function toWritten(name: string, args: object): Written {
	return { name, argumentsText: JSON.stringify(args) };
}
