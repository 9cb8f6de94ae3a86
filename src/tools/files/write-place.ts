import type { Judge } from "../../judge/create-judge.ts";

/** Where a child may write. */
export interface WritePlace {
	readonly judge: Judge;
	/** The project, as the layer over it shows it. */
	readonly root: string;
}
