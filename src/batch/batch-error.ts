import { RefusedPathError } from "@deputize/ground";

/** A batch that cannot start or go on. The message says what to do; nothing that finished is lost. */
export class BatchError extends Error {
	override readonly name = "BatchError";
}

/** A place that is not written to is a reason not to start. */
export function refuseAsBatch<Made>(work: () => Made): Made {
	try {
		return work();
	} catch (error) {
		if (error instanceof RefusedPathError) throw new BatchError(error.message);
		throw error;
	}
}
