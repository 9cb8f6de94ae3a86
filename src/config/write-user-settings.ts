import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
	codeOf,
	defined,
	isObject,
	type JsonObject,
	omit,
	parseJson,
	readIfThere,
	writeAtomically,
} from "@deputize/ground";
import { CONFIG_FILE } from "./load-config.ts";

/** A file of the user's, before and after what a command proposes. */
export interface FileChange {
	readonly file: string;
	/** Undefined when there is no file yet. */
	readonly before?: string;
	readonly after: string;
}

/**
 * What setting keys in the user's own file would make of it; everything else in it stays. A value of undefined takes the key
 * out again. A text instead says why the file is left alone and what to do.
 */
export function planUserSettings(
	agentDirectory: string,
	settings: readonly { readonly path: readonly string[]; readonly value: unknown }[],
): FileChange | string {
	const file = join(agentDirectory, CONFIG_FILE);
	const before = readIfThere(file);
	let content = before === undefined || before.trim() === "" ? {} : parseJson(before);
	if (!isObject(content))
		return `${file} is not a JSON object, or has comments that would be lost, so nothing was changed. Correct it, or set ${settings.map(({ path }) => path.join(".")).join(", ")} in it yourself.`;
	for (const { path, value } of settings) {
		const changed = setIn(content as JsonObject, path, value);
		if (changed === undefined)
			return `${path.slice(0, -1).join(".")} in ${file} is not a JSON object, so nothing was changed. Correct it first.`;
		content = changed;
	}
	const isSame = before !== undefined && isDeepStrictEqual(content, parseJson(before));
	const after = isSame ? before : `${JSON.stringify(content, null, "\t")}\n`;
	return { file, after, ...defined({ before }) };
}

/** Sets keys, see `planUserSettings`. The text that comes back says why it could not be done. */
export function writeUserSettings(
	agentDirectory: string,
	settings: Parameters<typeof planUserSettings>[1],
): string | undefined {
	const plan = planUserSettings(agentDirectory, settings);
	if (typeof plan === "string") return plan;
	try {
		writeAtomically(plan.file, plan.after);
		return undefined;
	} catch (error) {
		return `${plan.file} cannot be written (${codeOf(error)}).`;
	}
}

function setIn(
	table: JsonObject,
	[name = "", ...rest]: readonly string[],
	value: unknown,
): JsonObject | undefined {
	if (rest.length === 0) return value === undefined ? omit(table, name) : { ...table, [name]: value };
	const inner = table[name] ?? {};
	const changed = isObject(inner) ? setIn(inner, rest, value) : undefined;
	// What was made for a key goes with it.
	const isLeftOver = value === undefined && changed && Object.keys(changed).length === 0;
	return isLeftOver ? omit(table, name) : changed && { ...table, [name]: changed };
}
