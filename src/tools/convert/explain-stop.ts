import { ConversionError } from "@deputize/documents";
import type { CommandEnding } from "../../process/run-command.ts";

/** What a conversion may cost, as the messages name it. */
export interface ConversionCost {
	readonly timeoutMs: number;
	readonly maxMemoryMb: number;
}

/** Why we stopped a program that converts; undefined when it ended by itself. `who` begins the sentence. */
export function explainStop(
	{ reason }: Pick<CommandEnding, "reason">,
	who: string,
	{ timeoutMs, maxMemoryMb }: ConversionCost,
): ConversionError | undefined {
	switch (reason) {
		case "timeout":
			return new ConversionError(
				"CONVERT_TIMEOUT",
				`${who} took longer than ${timeoutMs} ms and was stopped. Raise timeoutMs if the document is worth it.`,
			);
		case "aborted":
			return new ConversionError("CONVERT_ABORTED", "The conversion was cancelled.");
		case "memory-limit":
			return new ConversionError(
				"CONVERT_MEMORY_EXCEEDED",
				`${who} needed more than ${maxMemoryMb} MB of memory and was stopped (convert.maxMemoryMb).`,
			);
		default:
			return undefined;
	}
}
