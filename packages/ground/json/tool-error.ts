/**
 * A tool's refusal: a code that programs can rely on and a message the model can act on. Whoever runs
 * the tool turns it into an outcome; anything else that is thrown is a bug.
 */
export class ToolError<Code extends string = string> extends Error {
	readonly code: Code;

	constructor(code: Code, message: string) {
		super(message);
		this.name = "ToolError";
		this.code = code;
	}
}
