import type { Environment } from "@deputize/ground";
import type { ConvertConfig } from "../../contract/config.ts";
import type { Judge } from "../../judge/create-judge.ts";
import type { DownloadDocument } from "./download-document.ts";

export interface ConvertToolOptions {
	readonly config: ConvertConfig;
	/** Decides about paths. */
	readonly judge: Judge;
	readonly env: Environment;
	/** Where optional parts were installed. */
	readonly agentDirectory?: string;
	/** Must exist. Only a configured outside program gets files here, in a directory that is removed again. */
	readonly temporaryDirectory: string;
	/** Guarded download for `url`; without it only paths are converted. */
	readonly download?: DownloadDocument;
}
