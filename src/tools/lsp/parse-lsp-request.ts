import { PRIVILEGED_LSP_ACTIONS, READONLY_LSP_ACTIONS } from "../../contract/config.ts";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { JsonSchema } from "../../contract/tool.ts";
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

/**
 * What is accepted: every action and field, with the limits that are not worth a model's attention. Whether this caller
 * may use an action is decided afterwards, so that the refusal can say why.
 */
const REQUEST_SCHEMA: JsonSchema = addLimits(buildLspParameters(ALL_ACTIONS), {
	action: { enum: ALL_ACTIONS },
	file: { maxLength: LSP_LIMITS.maxPathChars },
	files: { items: { type: "string", minLength: 1 } },
	query: { maxLength: LSP_LIMITS.maxQueryChars },
	newName: { maxLength: LSP_LIMITS.maxQueryChars },
	server: { maxLength: LSP_LIMITS.maxQueryChars },
	title: { maxLength: LSP_LIMITS.maxQueryChars },
	limit: { maximum: LSP_LIMITS.maxPageItems },
});

function addLimits(schema: JsonSchema, limits: Readonly<Record<string, JsonSchema>>): JsonSchema {
	const properties = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>);
	return {
		...schema,
		properties: Object.fromEntries(properties.map(([name, field]) => [name, { ...field, ...limits[name] }])),
	};
}

const DEFAULTS = { severity: "all", apply: false, offset: 0, limit: LSP_LIMITS.defaultPageItems } as const;

export function parseLspRequest(input: unknown): LspRequest {
	const fields = parseToolInput(input, REQUEST_SCHEMA) as Partial<LspRequest> & Pick<LspRequest, "action">;
	const present = Object.entries(fields)
		.map(([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const)
		.filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0));
	return { ...DEFAULTS, action: fields.action, ...Object.fromEntries(present) };
}
