import { createDigestTable, digestKey } from "../create-digest-table.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

/** What is asked of the tasks that ran before, by their key. */
export type Entries = Pick<ReadonlyMap<string, LedgerEntry>, "get" | "has" | "size" | "values"> &
	Iterable<readonly [string, LedgerEntry]>;

const AT = { isDone: 0, kind: 1, attempt: 3, costUsd: 7, durationMs: 15, finishedAt: 23, id: 31 } as const;
const ROW_BYTES = 47;
/** Kinds of failures are few, unless a stranger wrote the file. */
const MAX_KINDS = 10_000;

/** The tasks of an output file in few bytes each: there may be a million. */
export function createEntryTable() {
	const table = createDigestTable(ROW_BYTES);
	const kinds: string[] = [];
	const toKindNumber = (kind: string | undefined): number => {
		if (kind === undefined) return 0;
		const known = kinds.indexOf(kind);
		if (known !== -1) return known + 1;
		return kinds.length < MAX_KINDS ? kinds.push(kind) : 0;
	};
	const read = (row: number): LedgerEntry => {
		const bytes = table.bytesAt(row);
		const kind = kinds[bytes.readUInt16LE(AT.kind) - 1];
		return {
			id: bytes.toString("hex", AT.id),
			status: bytes[AT.isDone] === 1 ? "done" : "failed",
			...(kind === undefined ? {} : { kind }),
			attempt: bytes.readUInt32LE(AT.attempt),
			costUsd: bytes.readDoubleLE(AT.costUsd),
			durationMs: bytes.readDoubleLE(AT.durationMs),
			finishedAt: bytes.readDoubleLE(AT.finishedAt),
		};
	};
	const find = (key: string): number => table.find(digestKey(key));
	function* list(): Generator<[string, LedgerEntry]> {
		for (let row = 0; row < table.size(); row += 1) yield [table.digestAt(row).toString("hex"), read(row)];
	}
	return {
		get size(): number {
			return table.size();
		},
		has: (key: string): boolean => find(key) !== -1,
		get(key: string): LedgerEntry | undefined {
			const row = find(key);
			return row === -1 ? undefined : read(row);
		},
		set(key: string, entry: LedgerEntry): void {
			const bytes = table.bytesAt(table.add(digestKey(key)));
			bytes[AT.isDone] = entry.status === "done" ? 1 : 0;
			bytes.writeUInt16LE(toKindNumber(entry.kind), AT.kind);
			bytes.writeUInt32LE(entry.attempt, AT.attempt);
			bytes.writeDoubleLE(entry.costUsd, AT.costUsd);
			bytes.writeDoubleLE(entry.durationMs, AT.durationMs);
			bytes.writeDoubleLE(entry.finishedAt, AT.finishedAt);
			bytes.write(entry.id, AT.id, "hex");
		},
		*values(): MapIterator<LedgerEntry> {
			for (const [, entry] of list()) yield entry;
		},
		[Symbol.iterator]: list,
	} satisfies Entries & Record<string | symbol, unknown>;
}
