import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CONFIG_FILE, loadConfig } from "../../../src/config/load-config.ts";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";

const agentDirectory = mkdtempSync(join(tmpdir(), "load-config-"));
afterAll(() => rmSync(agentDirectory, { recursive: true }));

function load(text: string) {
	writeFileSync(join(agentDirectory, CONFIG_FILE), text);
	return loadConfig({ cwd: agentDirectory, agentDirectory, projectTrusted: false });
}

describe("loadConfig", () => {
	it.each(["", " \n\t", "\uFEFF", "{}"])("takes the defaults from %j", (text) => {
		expect(load(text)).toEqual({ config: DEFAULT_CONFIG, problems: [] });
	});

	it("accepts comments and a last comma", () => {
		const text = '// mine\n{ "subagents": { "maxConcurrency": 2, /* two */ "timeoutMs": 5000, }, }\n';
		const { config, problems } = load(text);
		expect(problems).toEqual([]);
		expect(config.subagents.timeoutMs).toBe(5000);
	});

	it("leaves alone what looks like a comment or a last comma inside a string", () => {
		const text = '{ "unknown": "http://a/*b*/ ,}", // a "quote\n "more": [1, /* , */ ], }';
		expect(load(text).problems.map(({ key }) => key)).toEqual(["unknown", "more"]);
	});

	it.each([
		['/* a\nb */{\n  "subagents" {}\n}', /is not valid JSON: .*position 25\b/],
		['{ "subagents": yes }', /is not valid JSON: Unexpected token 'y'.*"subagents": yes/],
		['{ "subagents": {', /is not valid JSON: .*(end of JSON|position 16)/],
	])("names the place of what is wrong in %j", (text, message) => {
		expect(load(text).problems).toEqual([
			expect.objectContaining({ severity: "error", message: expect.stringMatching(message) }),
		]);
	});
});
