import { parseJsonObject } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import type { BatchRow } from "./batch-row.ts";

const SHOWN_CHARS = 60;

/** One object a line; blank lines are skipped. Every field can be used in the template, `id` names the row. */
export function parseJsonlRows(text: string, name: string): readonly BatchRow[] {
	const rows: BatchRow[] = [];
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		const place = `line ${index + 1} of ${name}`;
		const fields = parseJsonObject(line);
		if (fields === undefined) {
			throw new BatchError(
				`In ${place}: expected a JSON object, not ${JSON.stringify(line.slice(0, SHOWN_CHARS))}.`,
			);
		}
		const { id } = fields;
		if (id === undefined || id === null) rows.push({ place, fields });
		else if (typeof id === "string" || typeof id === "number") rows.push({ place, id: String(id), fields });
		else throw new BatchError(`In ${place}: id must be a string or a number.`);
	}
	return rows;
}
