import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { MCP_EXTENSION } from "../../contract/tool.ts";

/**
 * The command line of a child. The task is not on it: it goes over stdin, where it has no length limit,
 * is not expanded (`@file`, `-option`) and is not visible to other users of the machine.
 */
export function buildPiArguments(
	plan: ChildPlan,
	files: {
		readonly systemPrompt: string;
		readonly ownExtension: string;
		readonly piVersion?: string;
	},
): readonly string[] {
	const hasMcp = plan.extensions.includes(MCP_EXTENSION);
	const majorVersion = Number.parseInt(files.piVersion ?? "0", 10);
	return [
		...["--mode", "json", "-p"],
		...["--session", plan.session.file],
		...["--system-prompt", files.systemPrompt],
		...(plan.model ? ["--model", plan.model] : []),
		...(plan.thinkingLevel ? ["--thinking", plan.thinkingLevel] : []),
		// Always explicit: without this flag pi grants read, bash, edit and write.
		...["--tools", [...plan.tools, FINALIZE_TOOL].join(",")],
		// Only our own extension, and those that granted tools or the model come from.
		"--no-extensions",
		...[files.ownExtension, ...plan.extensions].flatMap((file) => ["-e", file]),
		...["--no-skills", "--no-prompt-templates", "--no-themes"],
		// A project could define its own server under the name of one that the user vouches for.
		plan.projectTrust === "trusted" && !hasMcp ? "--approve" : "--no-approve",
		// We read these files ourselves: pi follows links out of the repository.
		"--no-context-files",
		// Since 1.0 MCP tools bypass a plain --tools list; older versions do not know this flag.
		...(majorVersion >= 1 && !hasMcp ? ["--no-mcp"] : []),
	];
}
