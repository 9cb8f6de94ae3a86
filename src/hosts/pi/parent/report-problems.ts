import { join } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { discoverAgents } from "../../../agents/discover-agents.ts";
import { findUnknownNames } from "../../../agents/find-unknown-names.ts";
import { CONFIG_FILE } from "../../../config/load-config.ts";
import type { ConfigProblem, ParsedConfig } from "../../../config/parse-config.ts";
import type { Surroundings } from "../../../config/read-surroundings.ts";

const SHOWN_PROBLEMS = 5;

/** Says at start what is wrong with the configuration. In modes without a UI stdout is a protocol: stderr it is. */
export function reportProblems(start: Start, context: Pick<ExtensionContext, "hasUI" | "ui">): void {
	const problems = [...start.problems, ...findMisspelled(start)];
	if (problems.length === 0) return;
	const text = renderConfigProblems(problems);
	const severe = problems.some((problem) => problem.severity === "error");
	if (context.hasUI) context.ui.notify(text, severe ? "error" : "warning");
	else process.stderr.write(`${text}\n`);
}

interface Start extends ParsedConfig {
	readonly surroundings: Surroundings;
	readonly cwd: string;
}

function findMisspelled({ config, surroundings, cwd }: Start): readonly ConfigProblem[] {
	const { agents } = discoverAgents({ ...surroundings, cwd });
	const file = join(surroundings.agentDirectory, CONFIG_FILE);
	return findUnknownNames(config.subagents, agents)
		.filter(({ near }) => near !== undefined)
		.map(({ text }) => ({ severity: "warning", file, key: "subagents", message: text }));
}

function renderConfigProblems(problems: readonly ConfigProblem[]): string {
	const lines = problems
		.slice(0, SHOWN_PROBLEMS)
		.map(({ file, message }) => `- ${message}${message.includes(file) ? "" : ` (${file})`}`);
	const more = problems.length - lines.length;
	const refused = problems.some((problem) => problem.severity === "error");
	return [
		`deputize: the configuration has problems.${refused ? " Delegation is refused until they are corrected." : ""}`,
		...lines,
		...(more > 0 ? [`- and ${more} more: see /toolkit doctor`] : []),
	].join("\n");
}
