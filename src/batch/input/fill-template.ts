import { BatchError } from "../batch-error.ts";
import type { BatchRow } from "./batch-row.ts";

/** `{{name}}` is a literal `{name}`; braces around anything but a name stay as they are, as in JSON or code. */
const PLACEHOLDER = /\{\{([A-Za-z_][A-Za-z0-9_.-]*)\}\}|\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/**
 * The task of a row; without a template the row's own field `task` is it. Refuses a name that the row does not have: half a task must
 * never be sent.
 */
export function fillTemplate(template: string | undefined, row: BatchRow): string {
	const known = Object.keys(row.fields).map((field) => `{${field}}`);
	if (template === undefined && !Object.hasOwn(row.fields, "task"))
		throw new BatchError(
			`${row.place} has no field "task". Say what to do with each row: --task "…", with ${known.join(", ") || "no fields"}.`,
		);
	return (template ?? "{task}").replace(
		PLACEHOLDER,
		(token: string, literal: string | undefined, name: string) => {
			if (literal !== undefined) return `{${literal}}`;
			if (Object.hasOwn(row.fields, name)) return toFieldText(row.fields[name]);
			throw new BatchError(
				`The task uses ${token}, but ${row.place} has no field ${JSON.stringify(name)}. It has ${known.join(", ") || "none"}. Write {{${name}}} for literal braces.`,
			);
		},
	);
}

function toFieldText(value: unknown): string {
	if (typeof value === "string") return value;
	return value === null || value === undefined ? "" : JSON.stringify(value);
}
