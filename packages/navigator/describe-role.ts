/**
 * What the reader must not take the findings for. Undefined for the explorer and for custom agents, who are asked for a
 * place; the others also list the tests and the users of the best files.
 */
export const NOT_JUDGED: ReadonlyMap<string, string> = new Map([
	[
		"reviewer",
		"whether this code is correct, safe or well designed. A search shows where to look; judging needs a language model or a person.",
	],
	[
		"implementer",
		"the design, the order of the steps and the risks. This is where to start reading, not a plan.",
	],
	["tester", "which cases matter and whether the existing tests check them. Nothing was run."],
]);
