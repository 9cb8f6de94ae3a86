import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCacheOfPi, shareCompileCache } from "../../../../src/runtimes/pi/share-compile-cache.ts";

let directory: string;

beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-cache-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("gives a child the compiled code that this process loads, unless the user decided otherwise", () => {
	const cache = "/tmp/node-compile-cache";
	expect(shareCompileCache({ A: "1" }, cache)).toEqual({ A: "1", NODE_COMPILE_CACHE: cache });
	for (const env of [{ NODE_COMPILE_CACHE: "/own" }, { NODE_DISABLE_COMPILE_CACHE: "1" }])
		expect(shareCompileCache(env, cache)).toEqual(env);
});

it("takes the cache that pi uses in the temporary directory, only if nobody else can write to it", () => {
	const cache = join(directory, "node-compile-cache");
	expect(findCacheOfPi(directory)).toBeUndefined();
	mkdirSync(cache);
	expect(findCacheOfPi(directory)).toBe(cache);
	chmodSync(cache, 0o777);
	expect(findCacheOfPi(directory)).toBeUndefined();
	rmSync(cache, { recursive: true });
	mkdirSync(join(directory, "elsewhere"));
	symlinkSync(join(directory, "elsewhere"), cache);
	expect(findCacheOfPi(directory)).toBeUndefined();
});
