import { existsSync } from "node:fs";
import { BatchError } from "./batch-error.ts";
import type { BatchRecord } from "./batch-record.ts";
import { findLastLines } from "./ledger/find-last-lines.ts";
import { nameFailure } from "./ledger/ledger-entry.ts";
import { readLedger } from "./ledger/read-ledger.ts";

/** What a line says of its task, after the fields of its input. */
const COLUMNS: Readonly<Record<string, (record: BatchRecord) => unknown>> = {
	id: ({ id }) => id,
	agent: ({ agent }) => agent,
	status: ({ status }) => status,
	answer: ({ answer, data }) => answer ?? data,
	error: ({ error }) => error && nameFailure(error),
	message: ({ error }) => error?.message,
	model: ({ model }) => model,
	costUsd: ({ costUsd }) => costUsd,
	durationMs: ({ durationMs }) => durationMs,
	finishedAt: ({ finishedAt }) => finishedAt,
};
const MAX_FIELDS = 1000;

/**
 * The output of a batch as CSV, one row for each task, for spreadsheets: a text that these would take for a formula has a `'` before it.
 * A field of the input that is called like a column of ours comes as `input.name`.
 */
export async function exportBatch(output: string, write: (text: string) => void): Promise<void> {
	if (!existsSync(output)) throw new BatchError(`There is no output ${JSON.stringify(output)} to export.`);
	const { formatCsvValue } = await import("hucre/csv");
	const fields = new Set<string>();
	const { isLast } = await findLastLines(output, ({ input = {} }) => {
		for (const name of Object.keys(input)) if (fields.size < MAX_FIELDS) fields.add(name);
		return true;
	});
	const toRow = (values: readonly unknown[]): string =>
		`${values.map((value) => formatCsvValue(toCell(value), { escapeFormulae: true })).join(",")}\r\n`;
	const names = [...fields].filter((name) => name !== "id");
	write(
		toRow([
			...names.map((name) => (Object.hasOwn(COLUMNS, name) ? `input.${name}` : name)),
			...Object.keys(COLUMNS),
		]),
	);
	await readLedger(output, (line) => {
		const { record } = line;
		if (!isLast(line)) return;
		const { input = {} } = record;
		write(
			toRow([...names.map((name) => input[name]), ...Object.values(COLUMNS).map((read) => read(record))]),
		);
	});
}

function toCell(value: unknown): string | number | boolean | null {
	if (value === undefined || value === null) return null;
	const cell = typeof value === "object" ? JSON.stringify(value) : (value as string | number | boolean);
	// The same signs in full width, which some spreadsheets take for a formula too.
	return typeof cell === "string" && /^[＝＋－＠]/.test(cell) ? `'${cell}` : cell;
}
