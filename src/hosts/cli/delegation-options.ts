/** What `run` and `batch` both take for a delegation, for `parseArgs`. */
export const DELEGATION_OPTIONS = {
	cwd: { type: "string" },
	model: { type: "string" },
	runtime: { type: "string" },
	"agents-dir": { type: "string", multiple: true },
	"timeout-ms": { type: "string" },
	"idle-timeout-ms": { type: "string" },
	offline: { type: "boolean" },
	json: { type: "boolean" },
	"dry-run": { type: "boolean" },
	quiet: { type: "boolean" },
	help: { type: "boolean", short: "h" },
} as const;
