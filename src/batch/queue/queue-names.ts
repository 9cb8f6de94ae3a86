/** The queue of one batch: pausing or removing it touches no other. */
export function nameBatchQueue(id: string): string {
	return `deputize-batch-${id}`;
}

/** Lists the open batches and the workers. Its entries are never processed. */
export const DIRECTORY_QUEUE = "deputize-directory";

/** Where the tables of PostgreSQL and the keys of Redis are. */
export const QUEUE_NAMESPACE = "deputize";
