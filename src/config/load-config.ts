import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { DEFAULT_CONFIG, type DeputizeConfig } from "../contract/config.ts";
import { LIMITS } from "../contract/limits.ts";
import { type ConfigProblem, type ParsedConfig, parseConfig } from "./parse-config.ts";

interface LoadConfigOptions {
	readonly cwd: string;
	readonly agentDirectory: string;
	/** Only a trusted project's own file is read. */
	readonly projectTrusted: boolean;
}

export const CONFIG_FILE = "deputize.json";

/** The user's file, then the trusted project's, which can only tighten. Missing files are normal. */
export function loadConfig(options: LoadConfigOptions): ParsedConfig {
	const user = applyFile(join(options.agentDirectory, CONFIG_FILE), "user", DEFAULT_CONFIG);
	if (!options.projectTrusted) return user;
	const project = applyFile(join(options.cwd, ".pi", CONFIG_FILE), "project", user.config);
	return { config: project.config, problems: [...user.problems, ...project.problems] };
}

function applyFile(file: string, owner: "user" | "project", base: DeputizeConfig): ParsedConfig {
	const failed = (message: string): ParsedConfig => {
		const problem: ConfigProblem = { severity: "error", file, key: "", message };
		return { config: base, problems: [problem] };
	};
	let text: string;
	try {
		const { size } = statSync(file);
		if (size > LIMITS.maxConfigBytes)
			return failed(`${file} is ${size} bytes; ${LIMITS.maxConfigBytes} are allowed`);
		text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code;
		return code === "ENOENT" || code === "ENOTDIR"
			? { config: base, problems: [] }
			: failed(`${file} cannot be read (${code ?? String(error)})`);
	}
	const errors: ParseError[] = [];
	const content: unknown = text.trim() === "" ? {} : parse(text, errors, { allowTrailingComma: true });
	const [wrong] = errors;
	if (wrong === undefined) return parseConfig(content, { file, owner, base });
	const line = text.slice(0, wrong.offset).split("\n").length;
	return failed(`${file} is not valid JSON: ${printParseErrorCode(wrong.error)} in line ${line}`);
}
