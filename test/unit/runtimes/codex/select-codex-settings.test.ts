import { describe, expect, it } from "vitest";
import { selectCodexSettings } from "../../../../src/runtimes/codex/select-codex-settings.ts";

describe("what a Codex child takes from the user's config.toml", () => {
	it("is the model, its provider and the variables that name keys", () => {
		const settings = selectCodexSettings(
			[
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
				'base_url = "https://acme.example/v1"',
				'env_key = "ACME_KEY"',
				'env_http_headers = { "X-Org" = "ACME_ORG", "X-Team" = "ACME_TEAM" }',
				"[[hooks.stop]]",
				'command = "evil"',
			].join("\n"),
		);
		expect(settings).toEqual({
			top: ['model = "gpt-x" # my favorite', 'model_provider = "acme"'],
			tables: [
				"[model_providers.acme]",
				'base_url = "https://acme.example/v1"',
				'env_key = "ACME_KEY"',
				'env_http_headers = { "X-Org" = "ACME_ORG", "X-Team" = "ACME_TEAM" }',
			],
			variables: ["ACME_KEY", "ACME_ORG", "ACME_TEAM"],
		});
	});
});
