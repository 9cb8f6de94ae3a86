import { describe, expect, it } from "vitest";
import {
	completeToolkitArguments,
	parseToolkitArguments,
} from "../../../../../../src/hosts/pi/parent/toolkit/parse-toolkit-arguments.ts";

const AGENTS = [
	{ name: "explorer", description: "Looks" },
	{ name: "tester", description: "Tests" },
];

describe("/toolkit's arguments", () => {
	it.each([
		["", { name: "help" }],
		["agents", { name: "agents" }],
		["  doctor ", { name: "doctor" }],
		["logs", { name: "logs", kinds: [], narrow: {} }],
		["activity", { name: "activity", narrow: {} }],
		["activity --project here", { name: "activity", narrow: { project: "." } }],
		[
			"logs --model opus --project ~/a",
			{ name: "logs", kinds: [], narrow: { project: "~/a", model: "opus" } },
		],
		["watch", { name: "watch" }],
		["run explorer Where is\n it?", { name: "run", agent: "explorer", task: "Where is\n it?" }],
		["new", { name: "new" }],
		["new mine", { name: "new", agent: "mine" }],
		["models", { name: "models" }],
		["models explorer", { name: "models", agent: "explorer" }],
		["tools always", { name: "tools", mode: "always" }],
		["tools on-demand", { name: "tools", mode: "on-demand" }],
		["logs --web --lsp --limit 5", { name: "logs", kinds: ["web", "lsp"], limit: 5, narrow: {} }],
	])("%j", (text, expected) => {
		expect(parseToolkitArguments(text)).toEqual(expected);
	});

	it.each([
		["logs --limit", /--limit needs a value/],
		["activity --web", /activity does not know --web/],
		["logs --limit 0", /whole number/],
		["logs --limit x", /whole number.*"x"/],
		["logs --all", /does not know --all/],
		["agents now", /takes no options/],
		["run explorer", /takes an agent and a task/],
		["new a b", /takes one name/],
		["models a b", /\/toolkit models takes one name/],
		["watch now", /takes no options/],
		["tools", /takes one of always, on-demand\./],
		["tools never", /not never/],
		["give later", /takes now or nothing, not later/],
		["agent", /no \/toolkit agent.*agents, watch/],
	])("%j is refused with the reason", (text, expected) => {
		expect(parseToolkitArguments(text)).toMatch(expected);
	});

	it("are completed from what was typed, and no further once they are complete", () => {
		const values = (typed: string) => completeToolkitArguments(typed, () => AGENTS).map(({ value }) => value);
		expect(values("")).toEqual([
			"agents",
			"watch",
			"view",
			"run",
			"give",
			"changes",
			"new",
			"models",
			"doctor",
			"logs",
			"activity",
			"tools",
			"help",
		]);
		expect(values("a")).toEqual(["agents", "activity"]);
		expect(values("doctor")).toEqual([]);
		expect(values("tools a")).toEqual(["tools always"]);
		expect(values("logs --w")).toEqual(["logs --web"]);
		expect(values("logs --web --")).toEqual([
			"logs --web --subagent",
			"logs --web --convert",
			"logs --web --lsp",
			"logs --web --limit",
			"logs --web --project",
			"logs --web --model",
		]);
		expect(values("agents ")).toEqual([]);
		expect(values("run e")).toEqual(["run explorer "]);
		expect(values("run explorer ")).toEqual([]);
		expect(values("give ")).toEqual(["give now"]);
	});
});
