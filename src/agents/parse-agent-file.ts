import { defined, fingerprint, type JsonObject, parseJsonObject } from "@deputize/ground";
import {
	type AgentDefinition,
	type AgentSource,
	isRuntimeName,
	RUNTIME_NAMES,
	type ToolRule,
} from "../contract/agent.ts";
import { isAgentName, LIMITS } from "../contract/limits.ts";
import { isThinkingLevel, THINKING_LEVELS } from "../contract/thinking.ts";
import { findDoubts } from "./find-doubts.ts";
import { type FrontmatterValue, parseFrontmatter, toNameList } from "./parse-frontmatter.ts";

type ParsedAgentFile =
	| { readonly ok: true; readonly agent: AgentDefinition }
	| { readonly ok: false; readonly reason: string };

type Fields = ReadonlyMap<string, FrontmatterValue>;

const ALLOW_FIELDS = ["tools", "approved_tools", "allowed_tools"] as const;
const YES = ["true", "1", "yes", "on"];
const NO = ["false", "0", "no", "off", ""];

/** Fields that are true or false, and what they are when they say neither: the choice with which less can go wrong. */
const FLAGS = { readonly: true, background: false, network: false };

function readFlag(fields: Fields, flag: keyof typeof FLAGS): boolean {
	const value = joinField(fields, flag).toLowerCase();
	return YES.includes(value) || (FLAGS[flag] && !NO.includes(value));
}

function findUnclearFlags(fields: Fields): readonly string[] {
	return Object.entries(FLAGS).flatMap(([flag, meant]) => {
		const value = joinField(fields, flag);
		return [...YES, ...NO].includes(value.toLowerCase())
			? []
			: [`${flag} must be true or false, not ${JSON.stringify(value.slice(0, 80))}; ${meant} is assumed`];
	});
}

const DENY_FIELD = "denied_tools";

/** The text of a file that an agent file names, or the reason why it cannot be used. */
export type ReadBeside = (
	path: string,
) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Markdown with frontmatter to an agent, or the reason why this file is not one. */
export function parseAgentFile(
	text: string,
	file: string,
	source: AgentSource,
	readBeside: ReadBeside = () => ({ ok: false, reason: "there are no files beside it" }),
): ParsedAgentFile {
	const refuse = (reason: string): ParsedAgentFile => ({ ok: false, reason });
	const frontmatter = parseFrontmatter(text);
	if (!frontmatter.ok) return frontmatter;
	const { fields, body } = frontmatter;
	const name = joinField(fields, "name").normalize();
	if (name === "") return refuse("the required field name is missing");
	if (!isAgentName(name))
		return refuse(
			`the name ${JSON.stringify(name.slice(0, 80))} may only contain letters and digits of any script, -, _ and . (at most 64, ${LIMITS.maxAgentNameBytes} bytes)`,
		);
	const tools = readToolRule(fields);
	if (typeof tools === "string") return refuse(tools);
	const choices = readChoices(fields);
	if (typeof choices === "string") return refuse(choices);
	const output = readOutputSchema(fields, readBeside);
	if (typeof output === "string") return refuse(output);
	const doubts = [...findUnclearFlags(fields), ...findDoubts(fields)];
	return {
		ok: true,
		agent: {
			name,
			description: joinField(fields, "description").replace(/\s+/g, " "),
			prompt: body,
			readonly: readFlag(fields, "readonly"),
			tools,
			...choices,
			...defined({ output: output?.schema }),
			...(readFlag(fields, "background") ? { background: true as const } : {}),
			...(readFlag(fields, "network") ? { network: true as const } : {}),
			source,
			file,
			// Trust is about everything that a child is given.
			contentHash: fingerprint(output === undefined ? text : `${text}\0${output.text}`),
			...(doubts.length > 0 ? { doubts } : {}),
		},
	};
}

/** The schema of `output`, written in the field or in a file beside this one; undefined when there is none. */
function readOutputSchema(
	fields: Fields,
	readBeside: ReadBeside,
): { readonly schema: JsonObject; readonly text: string } | string | undefined {
	const written = joinField(fields, "output");
	if (written === "") return undefined;
	const found = written.startsWith("{") ? ({ ok: true, text: written } as const) : readBeside(written);
	if (!found.ok) return `output: ${JSON.stringify(written.slice(0, 80))} ${found.reason}`;
	const { text } = found;
	if (Buffer.byteLength(text) > LIMITS.maxOutputSchemaBytes)
		return `output: the schema has more than the ${LIMITS.maxOutputSchemaBytes} bytes that are allowed`;
	const schema = parseJsonObject(text);
	return schema === undefined ? "output must be a JSON Schema object, or a file with one" : { schema, text };
}

/** What agent files of other programs say when they name no model. */
const INHERIT = "inherit";

type Choices = Pick<
	AgentDefinition,
	"runtime" | "model" | "fallbackModels" | "thinking" | "maxTurns" | "maxCost" | "skills"
>;

/** Runtime, model, thinking level, limits and skills, or what is wrong with them. */
function readChoices(fields: Fields): Choices | string {
	const runtime = joinField(fields, "runtime");
	if (runtime !== "" && !isRuntimeName(runtime))
		return `runtime must be one of ${RUNTIME_NAMES.join(", ")}, not ${JSON.stringify(runtime)}`;
	const [model, ...others] = toNameList(fields.get("model") ?? "").filter((name) => name !== INHERIT);
	const thinking = joinField(fields, "thinking");
	if (thinking !== "" && !isThinkingLevel(thinking))
		return `thinking must be one of ${THINKING_LEVELS.join(", ")}, not ${JSON.stringify(thinking)}`;
	const maxTurns = parseBound(fields, "max_turns", Number.isSafeInteger);
	if (Number.isNaN(maxTurns))
		return `max_turns must be a whole number above 0, not ${JSON.stringify(joinField(fields, "max_turns"))}`;
	const maxCost = parseBound(fields, "max_cost", Number.isFinite);
	if (Number.isNaN(maxCost))
		return `max_cost must be a number of US dollars above 0, not ${JSON.stringify(joinField(fields, "max_cost"))}`;
	const skills = toNameList(fields.get("skills") ?? "");
	return defined({
		runtime: runtime === "" ? undefined : runtime,
		model,
		fallbackModels: others.length > 0 ? others : undefined,
		thinking: thinking === "" ? undefined : thinking,
		maxTurns,
		maxCost,
		skills: skills.length > 0 ? skills : undefined,
	});
}

/** Undefined when the field is absent, NaN when it is not a plain number of this kind above 0. */
function parseBound(fields: Fields, name: string, isKind: (value: number) => boolean): number | undefined {
	const text = joinField(fields, name);
	if (text === "") return undefined;
	const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
	return value > 0 && isKind(value) ? value : Number.NaN;
}

function joinField(fields: Fields, name: string): string {
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
