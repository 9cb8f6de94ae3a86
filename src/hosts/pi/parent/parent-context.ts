import type { Surroundings } from "../../../config/read-surroundings.ts";
import type { DeputizeConfig } from "../../../contract/config.ts";
import type { MarkError } from "../mark-errors.ts";
import type { ReadExplicitTrust } from "./explicit-trust.ts";
import type { PiLibrary } from "./pi-library.ts";

/** What every part of a parent is given. */
export interface ParentContext {
	readonly config: DeputizeConfig;
	readonly surroundings: Surroundings;
	readonly markError: MarkError;
	readonly library: PiLibrary;
	/** Whether the project is trusted by a decision of this session. */
	readonly readExplicitTrust: ReadExplicitTrust;
}
