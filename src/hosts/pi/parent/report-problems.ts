import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { ConfigProblem } from "../../../config/parse-config.ts";

const SHOWN_PROBLEMS = 5;

/** Says at start what is wrong with the configuration. In modes without a UI stdout is a protocol: stderr it is. */
export function reportProblems(
	problems: readonly ConfigProblem[],
	context: Pick<ExtensionContext, "hasUI" | "ui">,
): void {
	const text = renderConfigProblems(problems);
	const severe = problems.some((problem) => problem.severity === "error");
	if (context.hasUI) context.ui.notify(text, severe ? "error" : "warning");
	else process.stderr.write(`${text}\n`);
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
