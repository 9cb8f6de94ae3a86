import { PRIVILEGED_LSP_ACTIONS, READONLY_LSP_ACTIONS } from "../../contract/config.ts";
import type { JsonSchema } from "../../contract/tool.ts";
import { LspError } from "./lsp-error.ts";
import { LSP_LIMITS } from "./lsp-limits.ts";

export type LspAction = (typeof READONLY_LSP_ACTIONS)[number] | (typeof PRIVILEGED_LSP_ACTIONS)[number];
export type SeverityChoice = "all" | "error" | "warning" | "info" | "hint";

export interface LspRequest {
	readonly action: LspAction;
	readonly file?: string;
	readonly files?: readonly string[];
	readonly line?: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
	readonly query?: string;
	readonly newName?: string;
	readonly severity: SeverityChoice;
	readonly server?: string;
	/** Which code action, by its title. */
	readonly title?: string;
	readonly apply: boolean;
	readonly offset: number;
	readonly limit: number;
}

const SEVERITIES = ["all", "error", "warning", "info", "hint"] as const;
const ALL_ACTIONS: readonly string[] = [...READONLY_LSP_ACTIONS, ...PRIVILEGED_LSP_ACTIONS];

/**
 * The schema a host sends to a model: only what this caller may use. Actions are named in words and other fields are
 * not forbidden, because hosts refuse by schema without a reason; what is refused here says why.
 */
export function buildLspParameters(actions: readonly string[]): JsonSchema {
	const isPrivileged = actions.some((action) => isPrivilegedAction(action));
	const text = (description: string) => ({ type: "string", description });
	const whole = (description: string, minimum = 1) => ({ type: "integer", minimum, description });
	return {
		type: "object",
		required: ["action"],
		properties: {
			action: text(`One of: ${actions.join(", ")}`),
			file: text("Path relative to the workspace"),
			files: {
				type: "array",
				items: { type: "string" },
				maxItems: LSP_LIMITS.maxNamedFiles,
				description: "workspace-diagnostics: these files only",
			},
			line: whole("1-based"),
			column: whole("1-based, in characters"),
			query: text(
				"Symbol name instead of line and column: name, Container.name or name#2; symbols: the filter. File optional",
			),
			severity: {
				type: "string",
				enum: [...SEVERITIES],
				description: "Least severe problem shown; default all",
			},
			server: text("Server id; default by file type"),
			offset: whole("Skip this many results", 0),
			limit: whole(`Results per page, at most ${LSP_LIMITS.maxPageItems}`),
			...(isPrivileged
				? {
						endLine: whole("codeAction: end of the range"),
						endColumn: whole("codeAction: end of the range"),
						newName: text("rename: the new name"),
						title: text("codeAction: title of the one to show or apply"),
						apply: {
							type: "boolean",
							description: "rename, codeAction: write the files; default shows the diff",
						},
					}
				: {}),
		},
	};
}

export function isPrivilegedAction(action: string): boolean {
	return (PRIVILEGED_LSP_ACTIONS as readonly string[]).includes(action);
}

const KNOWN_FIELDS = new Set([
	"action",
	"file",
	"files",
	"line",
	"column",
	"endLine",
	"endColumn",
	"query",
	"newName",
	"severity",
	"server",
	"title",
	"apply",
	"offset",
	"limit",
]);

const TEXT_FIELDS = [
	["file", LSP_LIMITS.maxPathChars],
	["query", LSP_LIMITS.maxQueryChars],
	["newName", LSP_LIMITS.maxQueryChars],
	["server", LSP_LIMITS.maxQueryChars],
	["title", LSP_LIMITS.maxQueryChars],
] as const;
const POSITION_FIELDS = ["line", "column", "endLine", "endColumn"] as const;

/** Strict on our own input: a field that is misspelt or of the wrong type is named, not ignored. */
export function parseLspRequest(input: unknown): LspRequest {
	if (typeof input !== "object" || input === null || Array.isArray(input)) {
		throw invalid(
			'lsp takes an object with an action, for example {action: "symbols", query: "parseConfig"}.',
		);
	}
	const fields = input as Readonly<Record<string, unknown>>;
	for (const name in fields) {
		if (!KNOWN_FIELDS.has(name))
			throw invalid(`Unknown parameter "${name}". Known: ${[...KNOWN_FIELDS].join(", ")}.`);
	}
	const limit = readWhole(fields, "limit", 1) ?? LSP_LIMITS.defaultPageItems;
	const request: { -readonly [Key in keyof LspRequest]: LspRequest[Key] } = {
		action: readAction(fields["action"]),
		severity: readSeverity(fields["severity"]),
		apply: readFlag(fields["apply"]),
		offset: readWhole(fields, "offset", 0) ?? 0,
		limit: Math.min(limit, LSP_LIMITS.maxPageItems),
	};
	for (const [key, maxChars] of TEXT_FIELDS) {
		const text = readText(fields, key, maxChars);
		if (text !== undefined) request[key] = text;
	}
	for (const key of POSITION_FIELDS) {
		const whole = readWhole(fields, key, 1);
		if (whole !== undefined) request[key] = whole;
	}
	const files = readFiles(fields["files"]);
	if (files !== undefined) request.files = files;
	return request;
}

function readAction(value: unknown): LspAction {
	if (typeof value === "string" && ALL_ACTIONS.includes(value)) return value as LspAction;
	throw invalid(`Unknown action ${JSON.stringify(value) ?? "(none)"}. Actions: ${ALL_ACTIONS.join(", ")}.`);
}

function readSeverity(value: unknown): SeverityChoice {
	if (value === undefined || value === null) return "all";
	if (typeof value === "string" && (SEVERITIES as readonly string[]).includes(value))
		return value as SeverityChoice;
	throw invalid(`severity is ${JSON.stringify(value)}; it must be one of ${SEVERITIES.join(", ")}.`);
}

function readFlag(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === "boolean") return value;
	throw invalid(`apply is ${JSON.stringify(value)}; it must be true or false.`);
}

/** Models send empty strings for what they do not want to say. */
function readText(
	fields: Readonly<Record<string, unknown>>,
	key: string,
	maxChars: number,
): string | undefined {
	const value = fields[key];
	if (value === undefined || value === null || value === "") return undefined;
	if (typeof value !== "string") throw invalid(`${key} must be a string, not ${JSON.stringify(value)}.`);
	if (value.length > maxChars)
		throw invalid(`${key} has ${value.length} characters; the limit is ${maxChars}.`);
	if (value.includes("\0")) throw invalid(`${key} contains a NUL character.`);
	const trimmed = value.trim();
	return trimmed === "" ? undefined : trimmed;
}

function readWhole(
	fields: Readonly<Record<string, unknown>>,
	key: string,
	minimum: number,
): number | undefined {
	const value = fields[key];
	if (value === undefined || value === null) return undefined;
	const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
	if (typeof number === "number" && Number.isSafeInteger(number) && number >= minimum) return number;
	throw invalid(`${key} is ${JSON.stringify(value)}; it must be a whole number from ${minimum}.`);
}

function readFiles(value: unknown): readonly string[] | undefined {
	if (value === undefined || value === null) return undefined;
	if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string" && entry !== "")) {
		throw invalid("files must be a list of paths.");
	}
	if (value.length > LSP_LIMITS.maxNamedFiles) {
		throw invalid(`files has ${value.length} paths; the limit is ${LSP_LIMITS.maxNamedFiles} per call.`);
	}
	return value.length === 0 ? undefined : value;
}

function invalid(message: string): LspError {
	return new LspError("INVALID_INPUT", message);
}
