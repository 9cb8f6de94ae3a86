import { expect, it } from "vitest";
import { createCommandContext } from "../../../src/commands/command-context.ts";
import { describeProjectServers } from "../../../src/commands/describe-survey.ts";
import { selectByFiles } from "../../../src/commands/find-project-servers.ts";
import type { MachineSurvey } from "../../../src/commands/survey-machine.ts";
import type { ServerDescription } from "../../../src/tools/lsp/servers/describe-servers.ts";

const server = (id: string, languages: readonly string[], more: Partial<ServerDescription> = {}) => ({
	id,
	languages,
	installed: false,
	installHint: `install ${id}`,
	reason: `${id}-server is not installed. Install it with: install ${id}`,
	...more,
});
const SERVERS = [server("go", [".go", "go.mod"]), server("json", [".json"]), server("rust", [".rs"])];

it("selects servers of the languages that a project is written in", () => {
	const files = [
		...Array.from({ length: 40 }, (_, index) => `a/${index}.go`),
		"go.mod",
		"package.json",
		"README.md",
	];
	expect(selectByFiles(SERVERS, files).map(({ id }) => id)).toEqual(["go"]);
	expect(selectByFiles(SERVERS, ["x.json", "a.rs", "b.rs"]).map(({ id }) => id)).toEqual(["rust", "json"]);
	expect(selectByFiles(SERVERS, [])).toEqual([]);
});

it("says each advice once", () => {
	const survey = {
		servers: [
			server("go", [], { installed: true, command: "/bin/gopls", source: "path" }),
			server("html", [], { installHint: "get web", reason: "no html. Install it with: get web" }),
			server("css", [], { installHint: "get web", reason: "no css. Install it with: get web" }),
			server("vue", [], { reason: "vue runs code of the project, and this project is not trusted." }),
		],
	} as unknown as MachineSurvey;
	const lines = describeProjectServers(survey, createCommandContext({ cwd: "/", env: { HOME: "/nowhere" } }));
	expect(lines).toEqual([
		{ status: "ok", text: "go: /bin/gopls (path)" },
		{ status: "info", text: "html, css: no language server is installed", remedy: "get web" },
		{ status: "info", text: "vue: vue runs code of the project, and this project is not trusted." },
	]);
});
