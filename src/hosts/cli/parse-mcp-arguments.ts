import { LIMITS, MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { checkDirectory } from "./check-directory.ts";
import { DELEGATION_OPTIONS, readBuiltin } from "./delegation-options.ts";
import { parseCommandLine, readChoice, readNumber } from "./parse-command-line.ts";

const { json: _, "dry-run": __, quiet: ___, ...DELEGATION } = DELEGATION_OPTIONS;

const OPTIONS = {
	...DELEGATION,
	"answer-within-ms": { type: "string" },
	"max-result-bytes": { type: "string" },
} as const;

/** Undefined when help was asked for. */
export function parseMcpArguments(argv: readonly string[]) {
	const { values } = parseCommandLine({ args: [...argv], options: OPTIONS, strict: true });
	if (values.help) return undefined;
	const milliseconds = (name: "timeout-ms" | "idle-timeout-ms" | "answer-within-ms"): number | undefined =>
		readNumber(values[name], `--${name}`, { max: MAX_TIMEOUT_MS, isWhole: true });
	return {
		cwd: values.cwd === undefined ? undefined : checkDirectory("--cwd", values.cwd),
		builtinOnly: readBuiltin(values),
		agentsDirectories: (values["agents-dir"] ?? []).map((path) => checkDirectory("--agents-dir", path)),
		model: values.model,
		runtime: readChoice(values.runtime, "--runtime", ["pi", "loop"] as const),
		offline: values.offline ?? false,
		timeoutMs: milliseconds("timeout-ms"),
		idleTimeoutMs: milliseconds("idle-timeout-ms"),
		answerWithinMs: milliseconds("answer-within-ms"),
		maxResultBytes: readNumber(values["max-result-bytes"], "--max-result-bytes", {
			max: LIMITS.maxResultBytes,
			isWhole: true,
		}),
	};
}
