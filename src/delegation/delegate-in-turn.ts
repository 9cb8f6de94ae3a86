import { createSlots, type Slots } from "@deputize/ground";
import type { DelegationRequest } from "../contract/request.ts";
import type { DelegationResult } from "../contract/result.ts";
import { delegate } from "./delegate.ts";
import type { DelegateOptions } from "./delegate-options.ts";
import { createDelegationContext } from "./delegation-context.ts";

/**
 * `delegate` for a program that may call it for a whole list at once: as many run as `subagents.maxConcurrency` says, the others wait in
 * the order of their calls. Nothing is started or read for those but the setting. Whoever brings a pool of children has a limit already.
 */
export function createDelegateInTurn() {
	const slotsBySize = new Map<number, Slots>();
	return async (input: DelegationRequest, options: DelegateOptions = {}): Promise<DelegationResult> => {
		const size = options.host?.children === undefined ? readSlotCount(options) : undefined;
		if (size === undefined) return delegate(input, options);
		const slots = slotsBySize.get(size) ?? createSlots(size);
		slotsBySize.set(size, slots);
		// One that is cancelled meanwhile goes on to be told so.
		const giveBack = await slots.take({ signal: options.signal });
		try {
			return await delegate(input, options);
		} finally {
			giveBack?.();
		}
	};
}

/** Undefined where the call will be refused anyway. */
function readSlotCount(options: DelegateOptions): number | undefined {
	try {
		return createDelegationContext(options).config.subagents.maxConcurrency;
	} catch {
		return undefined;
	}
}
