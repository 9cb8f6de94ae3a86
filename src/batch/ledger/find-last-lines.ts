import type { BatchRecord } from "../batch-record.ts";
import { createDigestTable, digestKey } from "../create-digest-table.ts";
import { type LedgerLine, readLedger } from "./read-ledger.ts";

const NUMBER_BYTES = 4;

/** Which line of an output is the last word on its task. A task that ran again has several until the file is tidied. */
export async function findLastLines(file: string, isCounted: (record: BatchRecord) => boolean = () => true) {
	const numbers = createDigestTable(NUMBER_BYTES);
	const { lines } = await readLedger(file, ({ record, number }) => {
		if (isCounted(record)) numbers.bytesAt(numbers.add(digestKey(record.key))).writeUInt32LE(number);
	});
	return {
		lines,
		tasks: numbers.size(),
		isLast({ record, number }: LedgerLine): boolean {
			const row = numbers.find(digestKey(record.key));
			return row !== -1 && numbers.bytesAt(row).readUInt32LE() === number;
		},
	};
}
