import { isShallow, parseJsonObject } from "@deputize/ground";
import { BatchError } from "../batch-error.ts";
import type { BatchRow } from "./batch-row.ts";
import type { InputLine } from "./read-input-lines.ts";

const SHOWN_CHARS = 60;

/** One object a line; blank lines are skipped. Every field can be used in the template, `id` names the row. */
export async function* parseJsonlRows(
	lines: AsyncIterable<InputLine>,
	name: string,
): AsyncGenerator<BatchRow> {
	for await (const { text, number } of lines) {
		if (text.trim() === "") continue;
		const place = `line ${number} of ${name}`;
		const fields = parseJsonObject(text);
		if (fields === undefined) {
			throw new BatchError(
				`In ${place}: expected a JSON object, not ${JSON.stringify(text.slice(0, SHOWN_CHARS))}.`,
			);
		}
		if (!isShallow(fields)) throw new BatchError(`In ${place}: the object is nested too deeply.`);
		const { id } = fields;
		if (id === undefined || id === null) yield { place, fields };
		else if (typeof id === "string" || typeof id === "number") yield { place, id: String(id), fields };
		else throw new BatchError(`In ${place}: id must be a string or a number.`);
	}
}
