import { createGlob, isObject, isTextList, type JsonObject } from "@deputize/ground";
import { isThinkingLevel, type ThinkingLevel } from "./thinking.ts";

/**
 * One configuration key: its default, what values it takes, what a project's own file may do to it, and what the
 * reference page says. A project can only tighten, because its file comes with the repository and not from the person
 * who runs it.
 */
export interface ConfigKey<Value = unknown> {
	readonly byDefault: Value;
	readonly expected: string;
	readonly about: string;
	accepts(value: unknown): boolean;
	/** The value with the project's request applied, or undefined if a project cannot change this key. */
	tighten(current: unknown, asked: unknown): unknown;
	/** Paths inside the value that a project cannot change, although it can change others. */
	listForbidden?(asked: unknown): readonly string[];
}

export interface ConfigTable {
	readonly [name: string]: ConfigKey | ConfigTable;
}

/** The configuration that a table describes. */
export type ConfigValues<Table> = {
	readonly [Name in keyof Table]: Table[Name] extends ConfigKey<infer Value>
		? Value
		: ConfigValues<Table[Name]>;
};

export function isConfigKey(row: ConfigKey | ConfigTable): row is ConfigKey {
	return typeof row["accepts"] === "function";
}

type Tighten = ConfigKey["tighten"];

const noSay: Tighten = () => undefined;
const smaller: Tighten = (current, asked) => Math.min(current as number, asked as number);
const onlyOff: Tighten = (current, asked) => (current as boolean) && (asked as boolean);
const union: Tighten = (current, asked) => [
	...new Set([...(current as readonly string[]), ...(asked as readonly string[])]),
];
const intersection: Tighten = (current, asked) =>
	(current as readonly string[]).filter((item) => (asked as readonly string[]).includes(item));

export const TIGHTEN = { noSay, onlyOff, union, intersection };

export function integer(
	byDefault: number,
	[minimum, maximum = Number.MAX_SAFE_INTEGER]: readonly [number, number?],
	about = "",
): ConfigKey<number> {
	const range =
		maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
	return {
		byDefault,
		about,
		expected: `a whole number ${range}`,
		accepts: (value) =>
			Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
		tighten: smaller,
	};
}

export function yesOrNo(byDefault: boolean, about = ""): ConfigKey<boolean> {
	return {
		byDefault,
		about,
		expected: "true or false",
		accepts: (value) => typeof value === "boolean",
		tighten: onlyOff,
	};
}

/** Choices are written from the loosest to the strictest. */
export function choice<const Options extends readonly string[]>(
	options: Options,
	byDefault: Options[number],
	about = "",
	tighten?: Tighten,
): ConfigKey<Options[number]> {
	const stricter: Tighten = (current, asked) =>
		options.indexOf(asked as string) > options.indexOf(current as string) ? asked : current;
	return {
		byDefault,
		about,
		expected: `one of ${options.map((option) => JSON.stringify(option)).join(", ")}`,
		accepts: (value) => options.includes(value as string),
		tighten: tighten ?? stricter,
	};
}

export function names<Name extends string = string>(
	byDefault: readonly Name[],
	tighten: Tighten,
	about = "",
	known?: readonly Name[],
): ConfigKey<readonly Name[]> {
	return {
		byDefault,
		about,
		expected: known ? `a list of ${known.join(", ")}` : "a list of names",
		accepts: (value) =>
			isTextList(value) && value.every((item) => !known || (known as readonly string[]).includes(item)),
		tighten,
	};
}

/** Names with glob patterns. Only the user decides what is harmless. */
export function patterns(about: string): ConfigKey<readonly string[]> {
	return {
		byDefault: [],
		about,
		expected: "a list of names, which may contain `*`",
		accepts: (value) => isTextList(value) && value.every(isPattern),
		tighten: noSay,
	};
}

function isPattern(text: string): boolean {
	try {
		createGlob(text);
		return text !== "";
	} catch {
		return false;
	}
}

export function string(byDefault: string, about = ""): ConfigKey<string> {
	return {
		byDefault,
		about,
		expected: "a string",
		accepts: (value) => typeof value === "string",
		tighten: noSay,
	};
}

export function url(byDefault: string, about = ""): ConfigKey<string> {
	return {
		byDefault,
		about,
		expected: "an http or https address, or an empty string",
		accepts: (value) => value === "" || (typeof value === "string" && /^https?:\/\/\S+$/.test(value)),
		tighten: noSay,
	};
}

/** An optional limit. */
type Bound = number | false;

const smallerBound: Tighten = (current, asked) =>
	current === false || (asked !== false && (asked as number) < (current as number)) ? asked : current;

export function bound(about: string, isWhole: boolean): ConfigKey<Bound> {
	return {
		byDefault: false,
		about,
		expected: `a ${isWhole ? "whole " : ""}number above 0, or false for no limit`,
		accepts: (value) => value === false || isBound(value, isWhole),
		tighten: smallerBound,
	};
}

function isBound(value: unknown, isWhole: boolean): boolean {
	return (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)) && (value as number) > 0;
}

/** What the user decides about one agent, by its name. */
export interface AgentSettings {
	readonly model?: string;
	readonly thinking?: ThinkingLevel;
	readonly tools?: readonly string[];
	readonly disabled?: boolean;
	readonly maxTurns?: number;
	readonly maxCost?: number;
}

type AgentTable = Readonly<Record<string, AgentSettings>>;

const AGENT_FIELDS: Readonly<Record<keyof AgentSettings, (value: unknown) => boolean>> = {
	model: (value) => typeof value === "string" && value.trim() !== "",
	thinking: isThinkingLevel,
	tools: isTextList,
	disabled: (value) => typeof value === "boolean",
	maxTurns: (value) => isBound(value, true),
	maxCost: (value) => isBound(value, false),
};

/**
 * A project can switch an agent off and lower its limits. It cannot choose a model, which costs the user's money and
 * decides who reads the user's files, nor tools.
 */
const TIGHTENING_FIELDS = ["disabled", "maxTurns", "maxCost"];

export function agentTable(about: string): ConfigKey<AgentTable> {
	return {
		byDefault: {},
		about,
		expected: `a table of agents, each with any of ${Object.keys(AGENT_FIELDS).join(", ")}`,
		accepts: (value) => isObject(value) && Object.values(value).every(isAgentSettings),
		tighten: (current, asked) => tightenAgents(current as AgentTable, asked as AgentTable),
		listForbidden: (asked) =>
			Object.entries(asked as AgentTable).flatMap(([name, settings]) =>
				Object.keys(settings)
					.filter((field) => !TIGHTENING_FIELDS.includes(field))
					.map((field) => `${name}.${field}`),
			),
	};
}

function isAgentSettings(value: unknown): boolean {
	return (
		isObject(value) &&
		Object.entries(value).every(
			([field, content]) =>
				Object.hasOwn(AGENT_FIELDS, field) && AGENT_FIELDS[field as keyof AgentSettings](content),
		)
	);
}

/** Agent names are case-insensitive. What the user wrote keeps the user's spelling. */
function tightenAgents(current: AgentTable, asked: AgentTable): AgentTable {
	const merged = new Map(Object.entries(current));
	for (const [name, settings] of Object.entries(asked)) {
		const key = [...merged.keys()].find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
		merged.set(key, tightenAgent(merged.get(key) ?? {}, settings));
	}
	return Object.fromEntries(merged);
}

function tightenAgent(own: AgentSettings, asked: AgentSettings): AgentSettings {
	const lower = (field: "maxTurns" | "maxCost"): JsonObject => {
		const bounds = [own[field], asked[field]].filter((value) => value !== undefined);
		return bounds.length === 0 ? {} : { [field]: Math.min(...bounds) };
	};
	const disabled = own.disabled === true || asked.disabled === true;
	return { ...own, ...(disabled ? { disabled } : {}), ...lower("maxTurns"), ...lower("maxCost") };
}

export interface LspServerConfig {
	readonly command: readonly string[];
	readonly languages: readonly string[];
	readonly extensions: readonly string[];
	readonly rootMarkers: readonly string[];
	readonly initializationOptions?: unknown;
	readonly settings?: unknown;
}

/** Servers the user adds, or built-in ones overridden by name; `false` switches one off. */
export function servers(about: string): ConfigKey<Readonly<Record<string, LspServerConfig | false>>> {
	return {
		byDefault: {},
		about,
		expected: "a table of servers",
		accepts: (value) =>
			isObject(value) && Object.values(value).every((server) => server === false || isServer(server)),
		tighten: noSay,
	};
}

function isServer(value: unknown): boolean {
	if (!isObject(value)) return false;
	const { command, languages, extensions, rootMarkers } = value;
	const lists = [languages, extensions, rootMarkers];
	return (
		isTextList(command) && command.length > 0 && lists.every((list) => list === undefined || isTextList(list))
	);
}
