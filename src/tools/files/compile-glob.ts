import { messageOf, ToolError } from "@deputize/ground";

/** A pattern over the limits of the matcher is the caller's mistake and is reported as one. */
export function compileGlob(compile: () => (text: string) => boolean): (text: string) => boolean {
	try {
		return compile();
	} catch (error) {
		throw new ToolError("INVALID_INPUT", messageOf(error));
	}
}
