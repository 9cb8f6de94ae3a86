import type { Judge } from "../../judge/create-judge.ts";

export interface FileToolOptions {
	readonly judge: Judge;
	/** Where ripgrep is looked for. */
	readonly env: Readonly<Record<string, string | undefined>>;
}
