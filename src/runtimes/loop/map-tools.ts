import type { LoopToolName } from "../../contract/loop.ts";

/** What does the same work in the loop. Tools without an entry (lsp, converters, anything that writes) do not exist there. */
const LOOP_EQUIVALENTS: Readonly<Record<string, LoopToolName>> = {
	read: "bash_read",
	grep: "bash_ripgrep",
	find: "bash_find",
	ls: "bash_find",
	web_search: "search_web",
	fetch_content: "scrape_webpage",
};

export function toLoopTools(granted: readonly string[]): readonly LoopToolName[] {
	return [...new Set(granted.flatMap((name) => LOOP_EQUIVALENTS[name] ?? []))];
}

/** The prompt speaks of the granted names: the model must know under which names it really has them. */
export function describeToolNames(granted: readonly string[]): string {
	const known = granted.filter((name) => LOOP_EQUIVALENTS[name] !== undefined);
	const missing = granted.filter((name) => LOOP_EQUIVALENTS[name] === undefined);
	const lines = [
		...(known.length === 0
			? []
			: [`- Tool names here: ${known.map((name) => `${name} is ${LOOP_EQUIVALENTS[name]}`).join(", ")}.`]),
		...(missing.length === 0 ? [] : [`- Not available here: ${missing.join(", ")}.`]),
	];
	return lines.join("\n");
}
