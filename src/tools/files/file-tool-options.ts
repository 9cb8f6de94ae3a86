import type { Environment } from "../../contract/environment.ts";
import type { Judge } from "../../judge/create-judge.ts";

export interface FileToolOptions {
	readonly judge: Judge;
	/** Where ripgrep is looked for. */
	readonly env: Environment;
}
