import type { NavigatorCall, NavigatorToolStep } from "./navigator-tool-step.ts";
import { parseSymbolText } from "./parse-symbol-text.ts";
import { quotePlace } from "./quote-line.ts";

const MAX_REFERENCES = 30;
const MAX_SHORT_REFERENCES = 4;
const HEADING = /^references of .+: (\d+ in \d+ files?)$/;

/**
 * Asks who uses the names of the task. Only for a name that the language server has just shown a definition of: one
 * that is not installed, or does not know the name, would only be waited for again.
 */
export function planReferences(steps: readonly NavigatorToolStep[]): NavigatorCall[] {
	const confirmed = steps.filter(isSymbolSearch).filter((step) => {
		const wanted = String(step.args["query"]);
		return parseSymbolText(step).some(({ name }) => name === wanted || name.endsWith(`.${wanted}`));
	});
	return confirmed.map(({ args }) => ({
		tool: "lsp",
		args: { action: "references", query: args["query"], limit: MAX_REFERENCES },
	}));
}

function isSymbolSearch({ tool, args, isError }: NavigatorToolStep): boolean {
	return tool === "lsp" && args["action"] === "symbols" && !isError;
}

/** Uses that a language server found, which are not always lines that contain the name. */
export function renderReferences(steps: readonly NavigatorToolStep[], verbose: boolean): string {
	return steps
		.filter(({ tool, args, isError }) => tool === "lsp" && args["action"] === "references" && !isError)
		.flatMap((step) => {
			const counted = HEADING.exec(step.text.split("\n", 1)[0] ?? "")?.[1];
			const places = parseSymbolText(step).slice(0, MAX_REFERENCES);
			// Several symbols of one name are listed instead, and are no references.
			if (counted === undefined || places.length === 0) return [];
			const shown = verbose ? places : places.slice(0, MAX_SHORT_REFERENCES);
			const rows = shown.map((place) => `- ${quotePlace(place)}`);
			const name = String(step.args["query"]);
			return [
				`**References to \`${name}\`** (language server: ${counted})\n${[...new Set(rows)].join("\n")}`,
			];
		})
		.join("\n");
}
