import type { ChildPlan } from "../../contract/plan.ts";
import type { Confinement } from "../../contract/result.ts";

export interface ChosenConfinement {
	readonly confinement: Confinement;
	wrap(
		command: string,
		args: readonly string[],
	): { readonly command: string; readonly args: readonly string[] };
}

export async function chooseConfinement(
	_plan: ChildPlan,
	_options: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly writableDirectories: readonly string[];
	},
): Promise<ChosenConfinement> {
	return { confinement: "tools-only", wrap: (command, args) => ({ command, args }) };
}
