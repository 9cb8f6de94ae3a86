import { describe, expect, it } from "vitest";
import { LoopError } from "../../../src/loop/loop-error.ts";
import { explainRefusedKey } from "../../../src/loop/recover-turn.ts";

const explain = (status: number, message: string, key: string, keyName: string): string =>
	explainRefusedKey(new LoopError("provider_error", message, { status }), { key, keyName }).message;

describe("a key that was refused", () => {
	it("is named by the variable it came from, in a sentence of its own", () => {
		expect(explain(401, "Incorrect API key provided: sk-bad", "sk-bad", "MY_KEY")).toBe(
			"Incorrect API key provided: sk-bad. The key that was sent is that of MY_KEY.",
		);
		expect(explain(403, "Forbidden.", "", "")).toBe("Forbidden. No API key was sent.");
		expect(explain(401, "Expired.", "a token of Google", "")).toBe("Expired.");
		expect(explain(500, "Broken", "", "")).toBe("Broken");
	});
});
