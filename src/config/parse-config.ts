import { isObject, showValue } from "@deputize/ground";
import { CONFIG_TABLE, DEFAULT_CONFIG, type DeputizeConfig } from "../contract/config.ts";
import { type ConfigKey, type ConfigTable, isConfigKey } from "../contract/config-key.ts";

/** Something wrong in a configuration file. `error`: the value was not used. `warning`: nothing else was affected. */
export interface ConfigProblem {
	readonly severity: "error" | "warning";
	readonly file: string;
	/** The path of the key, such as `subagents.timeoutMs`; empty when the file as a whole is wrong. */
	readonly key: string;
	readonly message: string;
}

export interface ParsedConfig {
	readonly config: DeputizeConfig;
	readonly problems: readonly ConfigProblem[];
}

interface Setting {
	readonly path: string;
	readonly key: ConfigKey;
	readonly value: unknown;
}

/** Applies a file's content on top of `base`. `owner` decides whether values are taken or may only tighten. */
export function parseConfig(
	content: unknown,
	options: { readonly file: string; readonly owner: "user" | "project"; readonly base?: DeputizeConfig },
): ParsedConfig {
	const base = options.base ?? DEFAULT_CONFIG;
	const problems: ConfigProblem[] = [];
	const report = (severity: ConfigProblem["severity"], key: string, message: string): void => {
		problems.push({ severity, file: options.file, key, message });
	};
	if (!isObject(content)) {
		report("error", "", `${options.file} must contain a JSON object, not ${showValue(content)}`);
		return { config: base, problems };
	}
	const config = structuredClone(base) as unknown as Record<string, unknown>;
	for (const setting of collectSettings(content, report)) {
		const current = readPath(config, setting.path);
		const value = options.owner === "user" ? setting.value : setting.key.tighten(current, setting.value);
		const forbidden = options.owner === "project" ? listForbidden(setting, value) : [];
		for (const path of forbidden)
			report("warning", path, `${path} cannot be set by a project, only in the user's own file`);
		if (value === undefined) continue;
		if (options.owner === "project" && value === current && setting.value !== current) {
			report(
				"warning",
				setting.path,
				`${setting.path}: a project can only tighten; ${showValue(setting.value)} was ignored`,
			);
		}
		writePath(config, setting.path, value);
	}
	return { config: config as unknown as DeputizeConfig, problems };
}

/** The paths of a project's setting that count for nothing. */
function listForbidden({ path, key, value }: Setting, tightened: unknown): readonly string[] {
	if (tightened === undefined) return [path];
	return (key.listForbidden?.(value) ?? []).map((inner) => `${path}.${inner}`);
}

function collectSettings(
	content: Readonly<Record<string, unknown>>,
	report: (severity: ConfigProblem["severity"], key: string, message: string) => void,
	prefix = "",
): Setting[] {
	return Object.entries(content).flatMap(([name, value]): Setting[] => {
		const path = `${prefix}${name}`;
		const key = CONFIG_KEYS.get(path);
		if (key?.accepts(value)) return [{ path, key, value }];
		if (key) {
			report("error", path, `${path} must be ${key.expected}, not ${showValue(value)}`);
			return [];
		}
		if (!isSection(path)) {
			report("warning", path, `${path} is not a known key${suggest(path)}`);
			return [];
		}
		if (isObject(value)) return collectSettings(value, report, `${path}.`);
		report("error", path, `${path} must be a JSON object, not ${showValue(value)}`);
		return [];
	});
}

function isSection(path: string): boolean {
	return [...CONFIG_KEYS.keys()].some((key) => key.startsWith(`${path}.`));
}

/** A key that differs only in spelling of the same letters, such as `allow_write`. */
function suggest(path: string): string {
	const flat = (name: string): string => name.toLowerCase().replace(/[^a-z.]/g, "");
	const last = flat(path).split(".").at(-1);
	const match = [...CONFIG_KEYS.keys()].find(
		(key) => flat(key) === flat(path) || flat(key).split(".").at(-1) === last,
	);
	return match ? `; did you mean ${match}?` : "";
}

function readPath(table: Readonly<Record<string, unknown>>, path: string): unknown {
	return path.split(".").reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), table);
}

function writePath(table: Record<string, unknown>, path: string, value: unknown): void {
	const names = path.split(".");
	const last = names.pop() ?? "";
	let at = table;
	for (const name of names) at = at[name] as Record<string, unknown>;
	at[last] = value;
}

/** Every key by its path, such as `subagents.timeoutMs`. */
export const CONFIG_KEYS: ReadonlyMap<string, ConfigKey> = new Map(listKeys(CONFIG_TABLE));

function listKeys(table: ConfigTable, prefix = ""): readonly (readonly [string, ConfigKey])[] {
	return Object.entries(table).flatMap(([name, row]) =>
		isConfigKey(row) ? [[`${prefix}${name}`, row] as const] : listKeys(row, `${prefix}${name}.`),
	);
}
