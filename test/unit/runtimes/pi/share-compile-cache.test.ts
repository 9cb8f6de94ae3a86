import { expect, it } from "vitest";
import { shareCompileCache } from "../../../../src/runtimes/pi/share-compile-cache.ts";

it("gives a child the compiled code that this process loads, unless the user decided otherwise", () => {
	const cache = "/tmp/node-compile-cache/v22-x64-1";
	expect(shareCompileCache({ A: "1" }, cache)).toEqual({
		A: "1",
		NODE_COMPILE_CACHE: "/tmp/node-compile-cache",
	});
	for (const env of [{ NODE_COMPILE_CACHE: "/own" }, { NODE_DISABLE_COMPILE_CACHE: "1" }])
		expect(shareCompileCache(env, cache)).toEqual(env);
	expect(shareCompileCache({ A: "1" }, undefined)).toEqual({ A: "1" });
});
