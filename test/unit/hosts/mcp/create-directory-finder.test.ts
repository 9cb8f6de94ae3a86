import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../../packages/ground/json/json-values.ts";
import { createDirectoryFinder } from "../../../../src/hosts/mcp/create-directory-finder.ts";
import type { Call } from "../../../../src/hosts/mcp/create-server.ts";
import { InputRequired } from "../../../../src/hosts/mcp/input-required.ts";

const ROOT = import.meta.dirname;
const ANSWER = { roots: [{ uri: pathToFileURL(ROOT).href }] };

function createCall(options: {
	readonly ask?: (question: unknown, options: { readonly signal?: AbortSignal }) => Promise<JsonObject>;
	readonly isModern?: boolean;
	readonly params?: JsonObject;
	readonly hasRoots?: boolean;
	readonly signal?: AbortSignal;
}): Call {
	const { isModern = false, hasRoots = true, params = {} } = options;
	return {
		params,
		caller: { isModern, name: "x", canElicit: false, hasRoots },
		signal: options.signal ?? new AbortController().signal,
		outgoing: { ask: options.ask ?? vi.fn(), settle: vi.fn() },
		sendProgress: undefined,
	} as unknown as Call;
}

describe("where a call works", () => {
	it("is asked once, and everybody gets the answer although the first call is cancelled", async () => {
		const finder = createDirectoryFinder({ env: {}, cwd: "/" });
		const first = new AbortController();
		const ask = vi.fn(
			(_question: unknown, { signal }: { readonly signal?: AbortSignal }) =>
				new Promise<JsonObject>((resolve) => {
					signal?.addEventListener("abort", () => resolve({}));
					setImmediate(() => resolve(ANSWER));
				}),
		);
		const found = Promise.all([
			finder.find(createCall({ ask, signal: first.signal })),
			finder.find(createCall({ ask })),
		]);
		first.abort();
		expect(await found).toEqual([ROOT, ROOT]);
		expect(ask).toHaveBeenCalledTimes(1);
		expect(await finder.known()).toBe(ROOT);
		finder.forget();
		expect(await finder.known()).toBe("/");
	});

	it("is a question of the call itself where clients are not sent requests, and asked again until it is answered", async () => {
		const finder = createDirectoryFinder({ env: {}, cwd: "/" });
		await expect(finder.find(createCall({ isModern: true }))).rejects.toBeInstanceOf(InputRequired);
		const params = { inputResponses: { roots: ANSWER } };
		expect(await finder.find(createCall({ isModern: true, params }))).toBe(ROOT);
		expect(await finder.find(createCall({ isModern: true }))).toBe(ROOT);
	});

	it.each([
		["none", []],
		["only one that is not there", [{ uri: "file:///no/such/directory" }]],
	])("is the directory of the server for clients that have roots, but %s", async (_name, roots) => {
		const finder = createDirectoryFinder({ env: {}, cwd: "/" });
		expect(await finder.find(createCall({ ask: async () => ({ roots }) }))).toBe("/");
	});

	it("is the directory of the server for clients without roots", async () => {
		expect(await createDirectoryFinder({ env: {}, cwd: "/" }).find(createCall({ hasRoots: false }))).toBe(
			"/",
		);
	});
});
