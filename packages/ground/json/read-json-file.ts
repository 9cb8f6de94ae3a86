import { readFileSync } from "node:fs";
import { parseJson } from "./parse-json.ts";

/** The value in a file, or undefined when it is not there, may not be read, or is not JSON. */
export function readJsonFile(file: string): unknown {
	try {
		return parseJson(readFileSync(file, "utf8"));
	} catch {
		return undefined;
	}
}
