/** What a search can and cannot do for each agent. Custom agents are treated like the explorer. */
export interface RoleDescription {
	/** Also list the tests and the users of the best files. */
	readonly showsSurroundings: boolean;
	/** What the reader must not take the findings for. */
	readonly notJudged?: string;
}

const EXPLORER: RoleDescription = { showsSurroundings: false };

const ROLES: ReadonlyMap<string, RoleDescription> = new Map([
	[
		"reviewer",
		{
			showsSurroundings: true,
			notJudged:
				"whether this code is correct, safe or well designed. A search shows where to look; judging needs a language model or a person.",
		},
	],
	[
		"implementer",
		{
			showsSurroundings: true,
			notJudged:
				"the design, the order of the steps and the risks. This is where to start reading, not a plan.",
		},
	],
	[
		"tester",
		{
			showsSurroundings: true,
			notJudged: "which cases matter and whether the existing tests check them. Nothing was run.",
		},
	],
]);

export function describeRole(agent: string): RoleDescription {
	return ROLES.get(agent) ?? EXPLORER;
}
