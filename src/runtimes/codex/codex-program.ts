import { join } from "node:path";
import { asObject, asText, type JsonObject, parseJsonObject, readIfThere } from "@deputize/ground";
import { listProviderVariables } from "../../config/provider-variables.ts";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { MODEL_SERVICES } from "../../contract/model-services.ts";
import { parseBaseUrl } from "../../contract/to-endpoint.ts";
import { isLoginToken, type LoginFormat } from "../lend-login-file.ts";
import type { AgentProgram } from "../program/agent-program.ts";
import { toOwnModel } from "../program/to-own-model.ts";
import { PROGRAM_LOGINS } from "../program-logins.ts";
import { buildCodexConfig } from "./build-codex-config.ts";
import { CODEX_SERVED } from "./codex-tools.ts";
import { createCodexReader } from "./read-codex-events.ts";
import { type CodexSettings, selectCodexSettings } from "./select-codex-settings.ts";

const CONFIG = "config.toml";
const NAMES = [...listProviderVariables("openai"), "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"];

export const CODEX_PROGRAM: AgentProgram = {
	name: "codex",
	title: "Codex",
	packageName: "@openai/codex",
	tested: {
		version: "0.166.0",
		help: ["exec", "--help"],
		options: ["--json", "--skip-git-repo-check", "--ignore-rules", "--output-schema"],
	},
	sandbox: "own",
	servedKinds: CODEX_SERVED,
	ownNames: /^CODEX_(?:CI|SESSION_ID|THREAD_ID|TOOL_CALL_ID|SANDBOX\w*|PERMISSION_PROFILE)$/,
	login: { isInHome: true, format: createCodexLogin() },
	describe(plan, place, { surroundings, resumes, command, toolServer }) {
		const settings = readCodexSettings(surroundings);
		const model = toOwnModel(plan.model, CODEX_PROGRAM);
		return {
			args: [
				...["exec", ...(resumes ? ["resume"] : []), "--json", "--skip-git-repo-check", "--ignore-rules"],
				// Codex accepts strict schemas only, which an agent's schema need not be; that one goes into the prompt.
				...(plan.finalize.mode === "text" || plan.agent.output ? [] : ["--output-schema", place.schemaFile]),
				...(resumes ? [resumes] : []),
				"-",
			],
			passedNames: [...NAMES, ...settings.variables],
			// Codex itself asks Git for the state of the work tree, which starts filters that a repository names: outside of its
			// sandbox, and with the key. Its commands have an environment of their own, and find the repository.
			set: { CODEX_HOME: place.home, GIT_DIR: "/dev/null" },
			files: {
				[CONFIG]: buildCodexConfig(plan, {
					surroundings,
					settings,
					model,
					program: command,
					codexHome: place.home,
					toolServer,
				}),
			},
		};
	},
	writeTask: (task) => task,
	toolResultTypes: ["item.completed"],
	createReader: (plan, spent, surroundings) =>
		createCodexReader({
			spent,
			handsOver: plan.finalize.mode !== "text",
			// Codex does not say which model answers: it is the one it was given.
			model:
				toOwnModel(plan.model, CODEX_PROGRAM) ??
				(asText(readCodexSettings(surroundings).values["model"]) || undefined),
		}),
};

/** The user's settings, and the address of the user's variable, which Codex itself does not read. */
function readCodexSettings(surroundings: UserPlace): CodexSettings {
	const file = join(PROGRAM_LOGINS.codex.findDirectory(surroundings), CONFIG);
	const settings = selectCodexSettings(readIfThere(file) ?? "", file);
	const { openai = { addressNames: [], baseUrl: "" } } = MODEL_SERVICES;
	const written = openai.addressNames.map((name) => surroundings.env[name]?.trim()).find(Boolean);
	const isElsewhere = "model_provider" in settings.values || "openai_base_url" in settings.values;
	if (written === undefined || isElsewhere) return settings;
	const address = parseBaseUrl(written, openai.baseUrl) ?? written;
	return { ...settings, values: { ...settings.values, openai_base_url: address } };
}

/** Codex refreshes logins older than this. */
const MAX_AGE_MS = 8 * 24 * 60 * 60 * 1000;

function createCodexLogin(): LoginFormat {
	const refreshedAt = (logins: JsonObject): number => Date.parse(asText(logins["last_refresh"])) || 0;
	return {
		select: (logins) => logins,
		endsAt(logins) {
			const { access_token: token } = asObject(logins["tokens"]);
			if (token === undefined) return Number.POSITIVE_INFINITY;
			return Math.min(readEnd(asText(token)), refreshedAt(logins) + MAX_AGE_MS);
		},
		takeBack(real, copy) {
			const { id_token, access_token, refresh_token } = asObject(copy["tokens"]);
			const isNewer = refreshedAt(copy) > refreshedAt(real);
			if (!isNewer || ![id_token, access_token, refresh_token].every(isLoginToken)) return undefined;
			const tokens = { ...asObject(real["tokens"]), id_token, access_token, refresh_token };
			return { ...real, tokens, last_refresh: copy["last_refresh"] };
		},
	};
}

/** The middle part of a web token says when it ends. */
function readEnd(token: string): number {
	const claims = parseJsonObject(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
	const seconds = claims?.["exp"];
	return typeof seconds === "number" ? seconds * 1000 : Number.POSITIVE_INFINITY;
}
