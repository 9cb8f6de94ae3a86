import type { DelegationContext } from "./delegation-context.ts";
import type { Redact } from "./redact.ts";

/**
 * What a run needs beyond the decisions about its child. Apart from them because redaction takes longest to load: a child
 * is started before it, and boots meanwhile.
 */
export interface RunContext extends DelegationContext {
	readonly redact: Redact;
}
