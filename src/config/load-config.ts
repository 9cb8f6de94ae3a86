import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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
	try {
		return parseConfig(parseCommented(text), { file, owner, base });
	} catch (error) {
		return failed(`${file} is not valid JSON: ${(error as SyntaxError).message}`);
	}
}

const STRING = /"(?:\\.|[^"\\])*"/;
const COMMENTS = new RegExp(String.raw`${STRING.source}|//.*|/\*[\s\S]*?\*/`, "g");
const LAST_COMMAS = new RegExp(String.raw`${STRING.source}|,(?=\s*[\]}])`, "g");

/**
 * Comments and last commas are allowed; they become blanks, so that an error names the right place. By hand because this
 * is read at every start of pi, where a parser of its own costs more than all of this file.
 */
function parseCommented(text: string): unknown {
	const toBlanks = (part: string) => (part.startsWith('"') ? part : part.replace(/[^\n]/g, " "));
	const json = text.replace(COMMENTS, toBlanks).replace(LAST_COMMAS, toBlanks);
	return json.trim() === "" ? {} : JSON.parse(json);
}
