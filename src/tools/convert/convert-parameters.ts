const MAX_CONTENT_CHARS = 200_000;
const MAX_TIMEOUT_MS = 300_000;

export const CONVERT_PARAMETERS = {
	type: "object",
	additionalProperties: false,
	properties: {
		path: {
			type: "string",
			minLength: 1,
			description: "File inside the working directory. Give this or url.",
		},
		url: { type: "string", minLength: 1, description: "http or https address. Give this or path." },
		maxContentChars: {
			type: "integer",
			minimum: 1,
			maximum: MAX_CONTENT_CHARS,
			description: "Characters of Markdown to return.",
		},
		offset: {
			type: "integer",
			minimum: 0,
			description: "Character of the Markdown to start at: the next offset a cut answer names.",
		},
		timeoutMs: {
			type: "integer",
			minimum: 1,
			maximum: MAX_TIMEOUT_MS,
			description: "Deadline in milliseconds.",
		},
	},
} as const;
