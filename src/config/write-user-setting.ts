import { join } from "node:path";
import { codeOf } from "../errors/code-of.ts";
import { isObject, type JsonObject } from "../json/json-values.ts";
import { parseJson } from "../json/parse-json.ts";
import { readIfThere } from "../paths/read-if-there.ts";
import { writeAtomically } from "../paths/write-atomically.ts";

/**
 * Sets one key in the user's own file and keeps everything else in it. A file that is not what it should be is left
 * alone: the text that comes back then says what to do.
 */
export function writeUserSetting(
	agentDirectory: string,
	path: readonly string[],
	value: unknown,
): string | undefined {
	const file = join(agentDirectory, "deputize.json");
	const before = readIfThere(file);
	const content = before === undefined ? {} : parseJson(before);
	if (!isObject(content)) return `${file} is not a JSON object, so nothing was changed. Correct it first.`;
	const changed = setIn(content, path, value);
	if (changed === undefined)
		return `${path.slice(0, -1).join(".")} in ${file} is not a JSON object, so nothing was changed. Correct it first.`;
	try {
		writeAtomically(file, `${JSON.stringify(changed, null, "\t")}\n`);
		return undefined;
	} catch (error) {
		return `${file} cannot be written (${codeOf(error)}).`;
	}
}

function setIn(
	table: JsonObject,
	[name = "", ...rest]: readonly string[],
	value: unknown,
): JsonObject | undefined {
	if (rest.length === 0) return { ...table, [name]: value };
	const inner = table[name] ?? {};
	const changed = isObject(inner) ? setIn(inner, rest, value) : undefined;
	return changed && { ...table, [name]: changed };
}
