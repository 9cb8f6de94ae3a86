import type { Environment } from "../../contract/environment.ts";
import type { Judge } from "../../judge/create-judge.ts";

export interface FileToolOptions {
	readonly judge: Judge;
	/** Where to find ripgrep. */
	readonly env: Environment;
}
