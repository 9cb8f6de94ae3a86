/** A batch that cannot start or go on. The message says what to do; nothing that finished is lost. */
export class BatchError extends Error {
	override readonly name = "BatchError";
}
