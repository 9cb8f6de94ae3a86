import { createReadStream } from "node:fs";
import {
	codeOf,
	createLineSplitter,
	ifGiven,
	isObject,
	isShallow,
	isText,
	parseJson,
	parseWith,
} from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";
import { BatchError } from "../batch-error.ts";
import type { BatchRecord } from "../batch-record.ts";
import { RESULT_CHECKS } from "../result-checks.ts";

export interface LedgerLine {
	readonly record: BatchRecord;
	readonly bytes: Buffer;
	readonly number: number;
}

export interface LedgerReading {
	/** How much of the file is whole lines; a line that was cut off by a crash begins there. */
	readonly wholeBytes: number;
	readonly lines: number;
	/** The last line is complete but for its line break. */
	readonly lacksLineBreak: boolean;
}

/** Reads the output line by line: the answers are never in memory all at once. A missing file is empty. */
export async function readLedger(file: string, onLine: (line: LedgerLine) => void): Promise<LedgerReading> {
	let lines = 0;
	let readBytes = 0;
	let tornBytes = 0;
	let isEnding = false;
	let lacksLineBreak = false;
	const take = (bytes: Buffer): void => {
		const record = parseRecordLine(bytes.toString("utf8"));
		if (record !== undefined) {
			lines += 1;
			lacksLineBreak = isEnding;
			onLine({ record, bytes, number: lines });
		} else if (isEnding) tornBytes = bytes.length;
		else if (bytes.length > 0) throw refuseFile(file, `line ${lines + 1} is something else`);
	};
	const splitter = createLineSplitter({
		maxLineBytes: LIMITS.maxLineBytes,
		onLine: take,
		onSkip(lengthBytes) {
			throw refuseFile(file, `it has a line of ${lengthBytes} bytes`);
		},
	});
	try {
		for await (const chunk of createReadStream(file)) {
			readBytes += (chunk as Buffer).length;
			splitter.push(chunk as Buffer);
		}
	} catch (error) {
		if (codeOf(error) !== "ENOENT") throw error;
	}
	isEnding = true;
	splitter.end();
	if (lines === 0 && tornBytes > 0) throw refuseFile(file, "its only line is something else");
	return { wholeBytes: readBytes - tornBytes, lines, lacksLineBreak };
}

const isAttempt = (value: unknown): boolean =>
	Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 32;

/** A line of the output file, or undefined when it is not one of ours. Unknown fields are kept. */
function parseRecordLine(line: string): BatchRecord | undefined {
	return parseWith<BatchRecord>(parseJson(line), {
		id: isText,
		key: isText,
		agent: isText,
		input: ifGiven((value) => isObject(value) && isShallow(value)),
		data: isShallow,
		attempt: ifGiven(isAttempt),
		finishedAt: ifGiven(isText),
		earlierCostUsd: ifGiven(RESULT_CHECKS.costUsd),
		...RESULT_CHECKS,
	});
}

function refuseFile(file: string, reason: string): BatchError {
	return new BatchError(`${file} is not the output of a batch: ${reason}. Choose another file with -o.`);
}
