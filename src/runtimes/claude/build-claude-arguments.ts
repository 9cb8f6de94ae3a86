import { existsSync } from "node:fs";
import { canonicalPath, isInside } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { createJudge } from "../../judge/create-judge.ts";
import type { ProgramPlace } from "../program/agent-program.ts";
import { buildHandoverSchema } from "../program/build-handover-schema.ts";
import { CLAUDE_PREFIX, nameClaudeTools } from "./claude-tools.ts";

const EFFORTS: Readonly<Record<string, string>> = {
	minimal: "low",
	low: "low",
	medium: "medium",
	high: "high",
	xhigh: "xhigh",
	max: "max",
};
/** The other granted tools only read in the working directory, which needs no permission. */
const ASKED_FOR = ["WebSearch", "WebFetch", "Bash", "Edit", "Write"];

const isOurTool = (tool: string): boolean => tool.startsWith(CLAUDE_PREFIX);

/** The command line of a child. The task is not on it: it goes over stdin. */
export function buildClaudeArguments(
	plan: ChildPlan,
	place: ProgramPlace,
	options: {
		readonly surroundings: UserPlace;
		readonly model: string | undefined;
		readonly resumes: string | undefined;
		/** File that names the server with our tools. */
		readonly servers?: string | undefined;
	},
): readonly string[] {
	const tools = nameClaudeTools(plan);
	const allowed = tools.filter((tool) => ASKED_FOR.includes(tool) || isOurTool(tool));
	const effort = EFFORTS[plan.thinkingLevel ?? ""];
	const files = describeFiles(plan, options.surroundings);
	const maxCost = plan.bounds?.maxCost;
	return [
		...["-p", "--verbose", "--include-partial-messages"],
		...["--input-format", "stream-json", "--output-format", "stream-json"],
		// Always explicit, and an empty list means none.
		...["--tools", tools.filter((tool) => !isOurTool(tool)).join(",")],
		...(allowed.length > 0 ? ["--allowedTools", allowed.join(",")] : []),
		// Nothing from the user or the project that would run, ask or instruct: hooks, plugins, servers, commands, notes.
		...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--no-chrome"],
		...(options.servers === undefined ? [] : ["--mcp-config", options.servers]),
		// Keeps the file tools in the working directory, by real path.
		...(plan.mayWrite ? [] : ["--restricted"]),
		...["--permission-mode", plan.mayWrite ? "acceptEdits" : "dontAsk", "--permission-prompts", "none"],
		...["--settings", JSON.stringify({ permissions: { deny: files.closed } })],
		...(files.open.length > 0 ? ["--add-dir", ...files.open] : []),
		...["--system-prompt-file", place.systemPromptFile],
		...(plan.finalize.mode === "text" ? [] : ["--json-schema", JSON.stringify(buildHandoverSchema(plan))]),
		...(options.model ? ["--model", options.model] : []),
		...(effort === undefined ? [] : ["--effort", effort]),
		// Only Claude Code knows during a run what its turns cost.
		...(maxCost === undefined ? [] : ["--max-budget-usd", String(maxCost)]),
		...(options.resumes ? ["--resume", options.resumes] : ["--session-id", plan.session.id]),
	];
}

/** The judge's decisions in Claude Code's terms: closed places as rules, open ones as additional directories. */
function describeFiles(
	plan: ChildPlan,
	{ home, agentDirectory }: UserPlace,
): { readonly closed: readonly string[]; readonly open: readonly string[] } {
	const judge = createJudge({ cwd: plan.cwd, home, agentDirectory, ...plan.fileRules });
	const cwd = canonicalPath(plan.cwd);
	const open = judge.exceptions().filter((path) => !isInside(cwd, path) && existsSync(path));
	const closed = [cwd, ...open].flatMap((directory) => judge.closedBelow(directory));
	return {
		open,
		closed: [...new Set(closed)].map(toPattern).flatMap((path) => [`Read(/${path})`, `Read(/${path}/**)`]),
	};
}

/**
 * Rules are patterns like those of `.gitignore`, where a directory called `[private]` would be one called `p`. Any character
 * in such a place closes no less than the path; Claude Code reads escapes in more than one way.
 */
function toPattern(path: string): string {
	return path.replace(/[[\]\\]/g, "?");
}
