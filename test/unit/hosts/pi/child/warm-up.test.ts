import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentSession } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type WarmUpLibrary, warmUp } from "../../../../../src/hosts/pi/child/warm-up.ts";
import type { ChildGrant } from "../../../../../src/runtimes/child-grant.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../../../../helpers/pi-door-versions.ts";

let directory = "";
let grant: ChildGrant;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-warm-up-"));
	for (const name of ["run", "agent"]) mkdirSync(join(directory, name));
	vi.stubEnv("PI_CODING_AGENT_DIR", join(directory, "agent"));
	grant = {
		agent: "explorer",
		tools: ["read", "grep"],
		finalize: { mode: "required", maxCorrections: 1 },
		runDirectory: join(directory, "run"),
		model: "own/model",
	} as unknown as ChildGrant;
});
afterEach(() => {
	vi.unstubAllGlobals();
	vi.unstubAllEnvs();
	rmSync(directory, { recursive: true, force: true });
});

/** Every address that anything in this process fetches and does not give up before. */
function watchFetch(): string[] {
	const fetched: string[] = [];
	const original = globalThis.fetch;
	vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
		if (!init?.signal?.aborted) fetched.push(input instanceof Request ? input.url : String(input));
		return original(input, init);
	});
	return fetched;
}

describe.each(PI_VERSIONS.filter((pi) => !isLeftOut(pi)))("warming up with pi $version", (pi) => {
	let library: WarmUpLibrary;
	beforeAll(async () => {
		demandInstalled(pi);
		library = (await import(join(dirname(pi.script), "index.js"))) as WarmUpLibrary;
	}, 60_000);

	it.each(["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"])(
		"builds a request over %s and plays whole turns, sends and writes nothing, and runs no command of the user's",
		async (api) => {
			const touched = join(directory, "touched");
			const own = {
				baseUrl: "http://127.0.0.1:9",
				apiKey: `!touch ${touched}`,
				headers: { a: `!touch ${touched}` },
			};
			const models = JSON.stringify({ providers: { own: { ...own, api, models: [{ id: "model" }] } } });
			writeFileSync(join(directory, "agent", "models.json"), models);
			const fetched = watchFetch();
			const sessions: AgentSession[] = [];
			const outcomes: string[] = [];
			const createAgentSession: WarmUpLibrary["createAgentSession"] = async (options) => {
				const created = await library.createAgentSession(options);
				sessions.push(created.session);
				return created;
			};
			const create: WarmUpLibrary["ModelRuntime"]["create"] = async (options) => {
				const created = await library.ModelRuntime.create(options);
				const streamSimple = created.streamSimple.bind(created);
				created.streamSimple = (...args) => {
					const stream = streamSimple(...args);
					void stream.result().then(({ stopReason }) => outcomes.push(stopReason));
					return stream;
				};
				return created;
			};
			const ModelRuntime = { create } as unknown as WarmUpLibrary["ModelRuntime"];
			const watched = { ...library, createAgentSession, ModelRuntime };
			await warmUp({
				library: watched,
				grant,
				isWaiting: () => true,
			});
			// Its provider's request got as far as its payload.
			expect(outcomes[0]).toBe("aborted");
			expect(sessions).toHaveLength(2);
			for (const { state } of sessions) expect(JSON.stringify(state.messages)).toContain("Handed over.");
			expect(fetched.filter((address) => !address.startsWith("data:"))).toEqual([]);
			expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual([
				"agent",
				"agent/models.json",
				"run",
			]);
		},
		30_000,
	);
});

describe("warming up", () => {
	const warmUpWith = (create: () => unknown, isWaiting: () => boolean): Promise<void> =>
		warmUp({
			library: { ModelRuntime: { create } } as unknown as WarmUpLibrary,
			grant,
			isWaiting,
		});

	it("begins when the child has nothing else to do, and ends when the task comes", async () => {
		let asked = 0;
		const create = vi.fn().mockResolvedValueOnce({});
		await warmUpWith(create, () => ++asked === 4);
		expect(create).toHaveBeenCalledOnce();
	});
});
