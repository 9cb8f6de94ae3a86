import { expect, it } from "vitest";
import { spellDuration } from "../../text/spell-duration.ts";

it.each([
	[1, "1 ms"],
	[999, "999 ms"],
	[1000, "1 second"],
	[2500, "2.5 seconds"],
	[12_000, "12 seconds"],
	[60_000, "1 minute"],
	[90_000, "1 minute 30 seconds"],
	[180_000, "3 minutes"],
	[900_000, "15 minutes"],
	[3_600_000, "1 hour"],
	[5_400_000, "1 hour 30 minutes"],
	[3_599_999, "60 minutes"],
])("spells %i ms as people do", (milliseconds, spelled) => {
	expect(spellDuration(milliseconds)).toBe(spelled);
});
