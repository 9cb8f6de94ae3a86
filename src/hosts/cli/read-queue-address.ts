import { messageOf, readIfThere } from "@deputize/ground";
import { UsageError } from "./usage-error.ts";

const FILE = "file:";

/**
 * The address of the queue, which may contain a password: from a file or the environment, because everybody on the
 * machine can read a command line.
 */
export function readQueueAddress(
	option: string | undefined,
	variable = process.env["DEPUTIZE_QUEUE"],
): string | undefined {
	const given = option ?? (variable || undefined);
	if (given === undefined || !given.startsWith(FILE)) return given;
	const path = given.slice(FILE.length);
	const address = readFirstLine(path);
	if (address === "") throw new UsageError(`The file ${path} has no address of a queue in its first line.`);
	return address;
}

function readFirstLine(path: string): string {
	try {
		return (readIfThere(path) ?? "").split("\n")[0]?.trim() ?? "";
	} catch (error) {
		throw new UsageError(`The file ${path} cannot be read: ${messageOf(error)}`);
	}
}
