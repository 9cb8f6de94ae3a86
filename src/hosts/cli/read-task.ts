import { LIMITS } from "../../contract/limits.ts";
import { UsageError } from "./usage-error.ts";

/** The task that is piped in. Stops reading as soon as it is too large, whatever is still to come. */
export async function readTask(stdin: AsyncIterable<Buffer>): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stdin) {
		bytes += chunk.length;
		if (bytes > LIMITS.maxTaskBytes)
			throw new UsageError(
				`The task on stdin is larger than ${LIMITS.maxTaskBytes} bytes. Pipe in less, or name files for the agent to read.`,
			);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}
