import { CONFIG_TABLE } from "../contract/config.ts";
import { type ConfigKey, type ConfigTable, isConfigKey } from "../contract/config-key.ts";

/** Every key by its path, such as `subagents.timeoutMs`. */
export const CONFIG_KEYS: ReadonlyMap<string, ConfigKey> = new Map(listKeys(CONFIG_TABLE));

function listKeys(table: ConfigTable, prefix = ""): readonly (readonly [string, ConfigKey])[] {
	return Object.entries(table).flatMap(([name, row]) =>
		isConfigKey(row) ? [[`${prefix}${name}`, row] as const] : listKeys(row, `${prefix}${name}.`),
	);
}
