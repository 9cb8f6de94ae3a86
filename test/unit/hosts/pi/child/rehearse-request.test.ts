import { streamSimple } from "@earendil-works/pi-ai/compat";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	type Rehearsal,
	rehearseRequest,
	type StreamModel,
} from "../../../../../src/hosts/pi/child/rehearse-request.ts";

/** Every address that anything in this process fetches. */
function watchFetch(): string[] {
	const fetched: string[] = [];
	const original = globalThis.fetch;
	vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
		fetched.push(input instanceof Request ? input.url : String(input));
		return original(input, init);
	});
	return fetched;
}

const rehearsal = (changes: Partial<Rehearsal>): Rehearsal => ({
	streamModel: streamSimple as unknown as StreamModel,
	api: "openai-completions",
	env: {},
	isWaiting: () => true,
	...changes,
});

describe("rehearsing a request", () => {
	afterEach(() => {
		vi.unstubAllGlobals();
	});

	it.each(["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"])(
		"goes through pi's own library for %s, to this process and nowhere else",
		async (api) => {
			const fetched = watchFetch();
			await rehearseRequest(rehearsal({ api }));
			expect(fetched).toHaveLength(1);
			expect(new URL(fetched[0] ?? "").hostname).toBe("127.0.0.1");
			// The door it answered at is closed again.
			await expect(fetch(fetched[0] ?? "")).rejects.toThrow();
		},
		30_000,
	);

	it("is not done over an API that might call its real provider, through a proxy, or when no task is awaited", async () => {
		const fetched = watchFetch();
		const streamModel = vi.fn<StreamModel>();
		await rehearseRequest(rehearsal({ streamModel, api: "bedrock-converse-stream" }));
		await rehearseRequest(rehearsal({ streamModel, env: { http_proxy: "http://proxy:3128" } }));
		await rehearseRequest(rehearsal({ streamModel, isWaiting: () => false, patienceMs: 20 }));
		expect(streamModel).not.toHaveBeenCalled();
		expect(fetched).toEqual([]);
	});

	it("waits until the child has nothing else to do", async () => {
		let asked = 0;
		const streamModel = vi.fn<StreamModel>(async function* () {});
		await rehearseRequest(rehearsal({ streamModel, isWaiting: () => ++asked > 3 }));
		expect(asked).toBe(4);
		expect(streamModel).toHaveBeenCalledOnce();
	});

	it("keeps every failure to itself", async () => {
		const streamModel: StreamModel = () => {
			throw new Error("not like this");
		};
		await expect(rehearseRequest(rehearsal({ streamModel }))).resolves.toBeUndefined();
	});
});
