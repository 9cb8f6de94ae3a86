import { describe, expect, it } from "vitest";
import { toConnectionError } from "../../../../src/loop/http/to-connection-error.ts";
import { LoopError } from "../../../../src/loop/loop-error.ts";

const url = new URL("https://models.example:8443/v1/responses");
const signal = new AbortController().signal;
const failure = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe("toConnectionError", () => {
	it.each([
		["ECONNREFUSED", "Nothing accepts connections at models.example:8443 (ECONNREFUSED).", true],
		["ENOTFOUND", "There is no host named models.example (ENOTFOUND).", false],
		["ETIMEDOUT", "models.example:8443 cannot be reached (ETIMEDOUT).", true],
		["ECONNRESET", "models.example:8443 closed the connection without an answer (ECONNRESET).", true],
		["DEPTH_ZERO_SELF_SIGNED_CERT", "The certificate of models.example:8443 is not trusted (", false],
		["CERT_HAS_EXPIRED", "The certificate of models.example:8443 is not trusted (", false],
		["EPROTO", "No encrypted connection to models.example:8443 could be made (EPROTO).", false],
		["HPE_INVALID_CONSTANT", "models.example:8443 did not answer in HTTP (HPE_INVALID_CONSTANT).", true],
		["EMFILE", "The connection to models.example:8443 failed (EMFILE).", true],
	])("says what %s means, where, and what to do", (code, sentence, retryable) => {
		const error = toConnectionError(failure(code), url, signal);
		expect(error.message.startsWith(sentence)).toBe(true);
		expect(error.message).toMatch(/\)\. [A-Z].*\.$/);
		expect(error.facts.retryable).toBe(retryable);
	});

	it("keeps the words of an error without a code", () => {
		expect(toConnectionError(new Error("socket hang up"), url, signal).message).toBe(
			"The connection to models.example:8443 failed (socket hang up). Check the address, and try again.",
		);
	});

	it("keeps the reason of a run that was ended", () => {
		const reason = new LoopError("timeout", "The run was still going after 5 ms; it was stopped.");
		expect(toConnectionError(failure("ECONNRESET"), url, AbortSignal.abort(reason))).toBe(reason);
	});
});
