import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { validateRequest } from "../../../src/delegation/validate-request.ts";
import { checkSessionFile } from "../../../src/sessions/check-session-file.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const BLOCK = {
	subagents: {
		enabled: true,
		maxDepth: 1,
		allowWrite: false,
		allowLspTools: true,
		allowedLspActions: ["definition", "references", "hover"],
		injectDelegationPolicy: true,
	},
};
const load = (text: string) => {
	home.write(join(home.agentDirectory, "deputize.json"), text);
	return loadConfig({ cwd: home.project, agentDirectory: home.agentDirectory, projectTrusted: false });
};

describe("a deputize.json that works as it is", () => {
	it.each([
		["the block of the document", JSON.stringify(BLOCK)],
		[
			"line ends of Windows, tabs and a byte order mark",
			`\uFEFF${JSON.stringify(BLOCK, undefined, "\t").replaceAll("\n", "\r\n")}`,
		],
		["comments and a last comma", '{\n// mine\n"subagents": { "maxDepth": 1, /* one */ },\n}'],
		["an empty file", ""],
		["blanks only", " \n\n"],
		["an empty object", "{}"],
	])("%s", (_name, text) => {
		expect(load(text).problems).toEqual([]);
	});

	it("with an unknown key, which is told", () => {
		const { problems } = load('{"subagents":{"maxDepht":1}}');
		expect(problems).toMatchObject([
			{ severity: "warning", message: expect.stringContaining("subagents.maxDepht") },
		]);
	});
});

describe("a deputize.json that is refused by name", () => {
	it.each([
		["a number as text", '{"subagents":{"maxDepth":"1"}}', "subagents.maxDepth"],
		["null", "null", "deputize.json"],
		["subagents: null", '{"subagents":null}', "subagents"],
	])("%s", (_name, text, named) => {
		const wrong = load(text).problems.filter(({ severity }) => severity === "error");
		expect(wrong.map(({ message, file }) => `${file} ${message}`).join()).toContain(named);
	});
});

describe("a call of subagent", () => {
	const task = "Find where authentication middleware is registered";

	it.each([
		["as the document has it", { agent: "scout", task }],
		["with an empty session", { agent: "scout", task, sessionId: "" }],
		["with capitals", { agent: "Scout", task }],
		["with line ends of Windows", { agent: "scout", task: `${task}\r\nfile:line` }],
	])("works %s", (_name, input) => {
		expect(validateRequest(input)).toMatchObject({ agent: input.agent, task: input.task });
	});

	it.each([
		["blanks around the name", { agent: " scout ", task }, '" scout "'],
		["a session that is a word", { agent: "scout", task, sessionId: "last" }, "sessionId"],
	])("is refused by name: %s", (_name, input, named) => {
		expect(() => validateRequest(input)).toThrow(named);
	});
});

describe("a session file that is continued as it is", () => {
	const header = () => `{"type":"session","version":3,"id":"s","cwd":${JSON.stringify(home.project)}}`;
	const entry = '{"type":"message","id":"1","message":{"role":"user","content":"x"}}';
	it.each<[string, () => string]>([
		["of plain pi", () => `${header()}\n${entry}\n`],
		["torn at its end", () => `${header()}\n{"type":"mess`],
		["with line ends of Windows", () => `${header()}\r\n${entry}\r\n`],
		["without a line break at its end", () => `${header()}\n${entry}`],
		["with blank lines", () => `${header()}\n\n${entry}\n\n`],
		["with an entry nobody knows", () => `${header()}\n{"type":"from-the-future"}\n`],
		["with a further field in its header", () => `${header().replace("{", '{"by":"me",')}\n`],
		["with the header alone", () => `${header()}\n`],
	])("%s", (_name, write) => {
		const file = home.write("session.jsonl", write());
		expect(() => checkSessionFile(file, { cwd: home.project, runtime: "pi" })).not.toThrow();
	});
});
