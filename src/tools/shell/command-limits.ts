import type { JsonSchema } from "../../contract/tool.ts";

export const DEFAULT_COMMAND_SECONDS = 120;
const MAX_COMMAND_SECONDS = 600;
/** What a command may print; more ends it. */
export const MAX_COMMAND_OUTPUT_BYTES = 16 * 1024 * 1024;
export const MAX_COMMAND_LINES = 2000;

/** As pi's own `bash` has them, so that an extension that judges its calls judges these too. */
export const COMMAND_PARAMETERS = {
	type: "object",
	required: ["command"],
	properties: {
		command: { type: "string", minLength: 1, description: "Shell command to execute" },
		timeout: {
			type: "number",
			minimum: 1,
			maximum: MAX_COMMAND_SECONDS,
			description: `Timeout in seconds (default ${DEFAULT_COMMAND_SECONDS}, at most ${MAX_COMMAND_SECONDS})`,
		},
	},
} as const satisfies JsonSchema;
