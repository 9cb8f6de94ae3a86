import type { Environment } from "@deputize/ground";
import type { Judge } from "../../judge/create-judge.ts";

export interface FileToolOptions {
	readonly judge: Judge;
	/** Where to find ripgrep. */
	readonly env: Environment;
}
