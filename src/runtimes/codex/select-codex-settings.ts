/** Which model answers, where it is served and how to log in there. Anything else in the file could run or instruct. */
const KEYS = [
	...["model", "model_provider", "model_reasoning_effort", "service_tier"],
	...["openai_base_url", "chatgpt_base_url", "forced_login_method", "forced_chatgpt_workspace_id"],
	"cli_auth_credentials_store",
];
const PROVIDER_TABLE = /^model_providers\./;
const HEADER = /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/;
const ENTRY = /^\s*("?)([\w-]+)\1\s*=\s*(\S.*)$/;
const KEY_VARIABLE = /^\s*"?(?:env_key|env_http_headers)"?\s*=\s*(.*)$/;

export interface CodexSettings {
	/** Lines of TOML for the top of a file. */
	readonly top: readonly string[];
	/** Whole tables. */
	readonly tables: readonly string[];
	/** Environment variables that these name. */
	readonly variables: readonly string[];
}

/**
 * What a child takes from the user's `config.toml`: single-line entries at the top and in the tables of model
 * providers. An entry over several lines is skipped; the keys wanted here are never that long.
 */
export function selectCodexSettings(text: string): CodexSettings {
	let table = "";
	const top: string[] = [];
	const tables: string[] = [];
	for (const line of dropLongStrings(text).split(/\r?\n/)) {
		const opened = readHeader(line);
		if (opened !== undefined) table = opened;
		const isProvider = PROVIDER_TABLE.test(table);
		if (opened !== undefined && isProvider) tables.push(`[${table}]`);
		const key = opened === undefined ? readEntryKey(line) : undefined;
		if (key === undefined) continue;
		if (isProvider) tables.push(line.trim());
		if (table === "" && KEYS.includes(key)) top.push(line.trim());
	}
	return { top, tables, variables: tables.flatMap(findVariables) };
}

/** Strings over several lines, whose lines could look like entries. */
function dropLongStrings(text: string): string {
	return text.replace(/"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/g, "\n");
}

/** The name of the table that begins here. One of a list of tables has no name that is wanted. */
function readHeader(line: string): string | undefined {
	return HEADER.exec(line)?.[1] ?? (/^\s*\[\[/.test(line) ? "[]" : undefined);
}

function readEntryKey(line: string): string | undefined {
	const entry = ENTRY.exec(line);
	return entry && isWhole(entry[3] ?? "") ? entry[2] : undefined;
}

/** Not the first line of a value that goes on: brackets are balanced, and no string is left open. */
function isWhole(value: string): boolean {
	const plain = value.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "").replace(/#.*$/, "");
	const count = (character: string): number => plain.split(character).length;
	return count("[") === count("]") && count("{") === count("}") && !/["']/.test(plain);
}

function findVariables(line: string): readonly string[] {
	const value = KEY_VARIABLE.exec(line)?.[1] ?? "";
	return [...value.matchAll(/["']([A-Za-z_][A-Za-z0-9_]{0,127})["']\s*(?=$|[,}#])/g)].map(
		(match) => match[1] ?? "",
	);
}
