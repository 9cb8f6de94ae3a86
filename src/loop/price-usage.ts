import type { TokenPrice } from "../contract/loop.ts";
import type { Usage } from "../contract/usage.ts";

const MILLION = 1_000_000;

/** What the provider says it cost, else what the configured price makes of it. */
export function priceUsage(usage: Usage, price: TokenPrice | undefined): Usage {
	if (price === undefined || usage.cost > 0) return usage;
	const cost =
		usage.input * price.input +
		usage.output * price.output +
		usage.cacheRead * price.cacheRead +
		usage.cacheWrite * price.cacheWrite;
	return { ...usage, cost: cost / MILLION };
}
