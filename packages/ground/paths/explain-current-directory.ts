import { codeOf } from "../json/describe-thrown.ts";

/** Why `process.cwd()` throws, in better words than Node's; undefined when it does not. */
export function explainCurrentDirectory(): string | undefined {
	try {
		process.cwd();
		return undefined;
	} catch (error) {
		return `The current directory was deleted or may not be read (${codeOf(error)}). Change to another one and try again.`;
	}
}
