import { describe, expect, it } from "vitest";
import { selectCodexSettings } from "../../../../src/runtimes/codex/select-codex-settings.ts";

const select = (...lines: readonly string[]) =>
	selectCodexSettings(lines.join("\n"), "/h/.codex/config.toml");
const ACME = { base_url: "https://acme.example/v1", env_key: "ACME_KEY" };
const ACME_LINES = ['base_url = "https://acme.example/v1"', 'env_key = "ACME_KEY"'];

describe("what a Codex child takes from the user's config.toml", () => {
	it("is the model, its provider and the variables that name keys", () => {
		const settings = select(
			'model = "gpt-x" # my favorite',
			'model_provider = "acme"',
			'notify = ["sh", "-c", "evil"]',
			"developer_instructions = '''",
			'model = "not this"',
			"'''",
			"[mcp_servers.deputize]",
			'command = "deputize"',
			'model = "nor this"',
			"[ model_providers.acme ] # ours",
			...ACME_LINES,
			'env_http_headers = { "X-Org" = "ACME_ORG", "X-Team" = "ACME_TEAM" }',
			"[[hooks.stop]]",
			'command = "evil"',
		);
		const headers = { "X-Org": "ACME_ORG", "X-Team": "ACME_TEAM" };
		expect(settings).toEqual({
			values: {
				model: "gpt-x",
				model_provider: "acme",
				model_providers: { acme: { ...ACME, env_http_headers: headers } },
			},
			variables: ["ACME_KEY", "ACME_ORG", "ACME_TEAM"],
		});
	});

	it.each([
		["a comment with quotes", ['# use """ for long prompts', "[model_providers.acme]", ...ACME_LINES]],
		["another such comment", ["# don't use ''' here", "[model_providers.acme]", ...ACME_LINES]],
		["quotes in a string", [`note = "a ''' b"`, "[model_providers.acme]", ...ACME_LINES]],
		["dotted keys", ACME_LINES.map((line) => `model_providers.acme.${line}`)],
		["an inline table", ["[model_providers]", `acme = { ${ACME_LINES.join(", ")} }`]],
		[
			"a value over several lines",
			["[model_providers.acme]", ACME_LINES[0] ?? "", 'env_key = """\\', '  ACME_KEY"""'],
		],
	])("is complete with %s", (_name, lines) => {
		expect(select('model_provider = "acme"', ...lines)).toEqual({
			values: { model_provider: "acme", model_providers: { acme: ACME } },
			variables: ["ACME_KEY"],
		});
	});

	it("is nothing when the file cannot be read: the child would use another provider than the user", () => {
		expect(() => select('model_provider = "acme"', "[model_providers.acme]", 'token = "secret')).toThrow(
			"Nothing was started: /h/.codex/config.toml is not valid TOML (line 3, column 9), so the model provider it names is not known.",
		);
	});
});
