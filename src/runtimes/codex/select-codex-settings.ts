import { asObject, asText, type JsonObject } from "@deputize/ground";
import { parse, TomlError } from "smol-toml";
import { DelegationError } from "../../contract/error-codes.ts";

/** Which model answers, where it is served and how to log in there. Anything else in the file could run or instruct. */
const KEYS = [
	...["model", "model_provider", "model_providers", "model_reasoning_effort", "service_tier"],
	...["openai_base_url", "chatgpt_base_url", "forced_login_method", "forced_chatgpt_workspace_id"],
	"cli_auth_credentials_store",
];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * What a child takes from the user's `config.toml`. One that cannot be read is refused: without its provider the child
 * would talk to another address than the user's.
 */
export function selectCodexSettings(text: string, file: string) {
	const settings = parseSettings(text, file);
	return {
		/** As they are in the file, by key. */
		values: Object.fromEntries(Object.entries(settings).filter(([key]) => KEYS.includes(key))),
		/** Environment variables that the model providers name. */
		variables: Object.values(asObject(settings["model_providers"])).flatMap(listVariables),
	};
}

export type CodexSettings = ReturnType<typeof selectCodexSettings>;

function parseSettings(text: string, file: string): JsonObject {
	try {
		return parse(text, { integersAsBigInt: "asNeeded" });
	} catch (error) {
		throw new DelegationError(
			"SUBAGENT_FAILED",
			// The error's own message quotes the lines around it, and those can contain a token.
			`Nothing was started: ${file} is not valid TOML${error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : ""}, so the model provider it names is not known. Correct the file, or use another runtime.`,
		);
	}
}

function listVariables(provider: unknown): readonly string[] {
	const { env_key: key, env_http_headers: headers } = asObject(provider);
	return [key, ...Object.values(asObject(headers))].map(asText).filter((name) => VARIABLE.test(name));
}
