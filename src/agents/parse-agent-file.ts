import { createHash } from "node:crypto";
import type { AgentDefinition, AgentSource, RuntimeName, ToolRule } from "../contract/agent.ts";
import { AGENT_NAME_PATTERN } from "../contract/limits.ts";
import { isThinkingLevel, THINKING_LEVELS } from "../contract/thinking.ts";
import { defined } from "../json/defined.ts";
import { type FrontmatterValue, parseFrontmatter, toNameList } from "../text/parse-frontmatter.ts";
import { findDoubts } from "./find-doubts.ts";

export type ParsedAgentFile =
	| { readonly ok: true; readonly agent: AgentDefinition }
	| { readonly ok: false; readonly reason: string };

type Fields = ReadonlyMap<string, FrontmatterValue>;

const ALLOW_FIELDS = ["tools", "approved_tools", "allowed_tools"] as const;
/** The first two make an agent readonly. */
const READONLY_VALUES = ["true", "1", "false", "0", ""];
const DENY_FIELD = "denied_tools";

/** Markdown with frontmatter to an agent, or the reason why this file is not one. */
export function parseAgentFile(text: string, file: string, source: AgentSource): ParsedAgentFile {
	const frontmatter = parseFrontmatter(text);
	if (!frontmatter.ok) return frontmatter;
	const { fields, body } = frontmatter;
	const name = parseText(fields, "name");
	if (name === "") return { ok: false, reason: "the required field name is missing" };
	if (!AGENT_NAME_PATTERN.test(name)) {
		return {
			ok: false,
			reason: `the name ${JSON.stringify(name.slice(0, 80))} may only contain letters, digits, - and _ (at most 64)`,
		};
	}
	const readonly = parseText(fields, "readonly");
	if (!READONLY_VALUES.includes(readonly)) {
		return { ok: false, reason: `readonly must be true or false, not ${JSON.stringify(readonly)}` };
	}
	const tools = readToolRule(fields);
	if (typeof tools === "string") return { ok: false, reason: tools };
	const runtime = parseText(fields, "runtime");
	if (runtime !== "" && runtime !== "pi" && runtime !== "loop") {
		return { ok: false, reason: `runtime must be pi or loop, not ${JSON.stringify(runtime)}` };
	}
	const choices = readChoices(fields);
	if (typeof choices === "string") return { ok: false, reason: choices };
	const doubts = findDoubts(fields);
	return {
		ok: true,
		agent: {
			name,
			description: parseText(fields, "description").replace(/\s+/g, " "),
			prompt: body,
			readonly: READONLY_VALUES.slice(0, 2).includes(readonly),
			tools,
			...choices,
			...(runtime === "" ? {} : { runtime: runtime as RuntimeName }),
			source,
			file,
			contentHash: createHash("sha256").update(text).digest("hex"),
			...(doubts.length > 0 ? { doubts } : {}),
		},
	};
}

/** What agent files of other programs say when they name no model. */
const INHERIT = "inherit";

type Choices = Pick<AgentDefinition, "model" | "fallbackModels" | "thinking" | "maxTurns" | "maxCost">;

/** Model, thinking level and limits, or what is wrong with them. */
function readChoices(fields: Fields): Choices | string {
	const [model, ...others] = toNameList(fields.get("model") ?? "").filter((name) => name !== INHERIT);
	const thinking = parseText(fields, "thinking");
	if (thinking !== "" && !isThinkingLevel(thinking))
		return `thinking must be one of ${THINKING_LEVELS.join(", ")}, not ${JSON.stringify(thinking)}`;
	const maxTurns = readNumber(fields, "max_turns");
	if (maxTurns !== undefined && !(Number.isSafeInteger(maxTurns) && maxTurns > 0))
		return `max_turns must be a whole number above 0, not ${JSON.stringify(parseText(fields, "max_turns"))}`;
	const maxCost = readNumber(fields, "max_cost");
	if (maxCost !== undefined && !(Number.isFinite(maxCost) && maxCost > 0))
		return `max_cost must be a number of US dollars above 0, not ${JSON.stringify(parseText(fields, "max_cost"))}`;
	return defined({
		model,
		fallbackModels: others.length > 0 ? others : undefined,
		thinking: thinking === "" ? undefined : thinking,
		maxTurns,
		maxCost,
	});
}

/** Undefined when the field is absent, NaN when it is not a plain number. */
function readNumber(fields: Fields, name: string): number | undefined {
	const text = parseText(fields, name);
	if (text === "") return undefined;
	return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function parseText(fields: Fields, name: string): string {
	const value = fields.get(name) ?? "";
	return (typeof value === "string" ? value : value.join(", ")).trim();
}

/** The rule, or the reason why the lists contradict each other. */
function readToolRule(fields: Fields): ToolRule | string {
	const allowing = ALLOW_FIELDS.filter((field) => fields.has(field));
	const denied = fields.get(DENY_FIELD);
	if (allowing.length > 1) return `${allowing.join(" and ")} are both allow lists: keep one`;
	const [allowField] = allowing;
	if (allowField !== undefined && denied !== undefined) {
		return `${allowField} and ${DENY_FIELD} together are ambiguous: keep one`;
	}
	if (denied !== undefined) return { kind: "deny", names: toNameList(denied) };
	if (allowField === undefined) return { kind: "default" };
	return { kind: "allow", names: toNameList(fields.get(allowField) ?? "") };
}
