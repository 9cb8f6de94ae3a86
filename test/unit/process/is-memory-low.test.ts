import { expect, it } from "vitest";
import { isMemoryLow } from "../../../src/process/is-memory-low.ts";

const MIB = 1024 * 1024;

it.each([
	["linux", 400, true],
	["linux", 4000, false],
	["darwin", 40, false],
] as const)("on %s with %d MiB available memory is low: %s", (platform, available, expected) => {
	expect(isMemoryLow(platform, available * MIB)).toBe(expected);
});
