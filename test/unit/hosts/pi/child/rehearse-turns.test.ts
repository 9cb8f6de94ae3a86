import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentSession } from "@earendil-works/pi-coding-agent";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
	hasRehearsalLibrary,
	type Rehearsal,
	type RehearsalLibrary,
	rehearseTurns,
} from "../../../../../src/hosts/pi/child/rehearse-turns.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../../../../helpers/pi-door-versions.ts";

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

let runDirectory = "";
beforeAll(() => {
	runDirectory = mkdtempSync(join(tmpdir(), "deputize-rehearsal-"));
});
afterAll(() => rmSync(runDirectory, { recursive: true, force: true }));
afterEach(() => {
	vi.unstubAllGlobals();
});

function rehearsal(library: RehearsalLibrary, changes: Partial<Rehearsal> = {}): Rehearsal {
	return {
		library,
		grant: {
			tools: ["read", "grep"],
			finalize: { mode: "required", maxCorrections: 1 },
			runDirectory,
		},
		api: "openai-completions",
		env: {},
		isWaiting: () => true,
		...changes,
	};
}

describe.each(PI_VERSIONS.filter((pi) => !isLeftOut(pi)))("rehearsing turns with pi $version", (pi) => {
	let library: RehearsalLibrary;
	beforeAll(async () => {
		demandInstalled(pi);
		const exported = (await import(join(dirname(pi.script), "index.js"))) as object;
		if (!hasRehearsalLibrary(exported)) throw new Error("pi no longer exports what a rehearsal takes");
		library = exported;
	}, 60_000);

	it.each(["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"])(
		"plays them whole over %s, to this process and nowhere else, and writes nothing",
		async (api) => {
			const fetched = watchFetch();
			const handedOver: string[] = [];
			const onTurn = ({ state }: AgentSession): void => {
				for (const message of state.messages)
					if (message.role === "toolResult") handedOver.push(JSON.stringify(message.content));
			};
			await rehearseTurns(rehearsal(library, { api, onTurn }));
			expect(handedOver).toHaveLength(3);
			expect(new Set(handedOver)).toEqual(
				new Set([JSON.stringify([{ type: "text", text: "Handed over." }])]),
			);
			expect(fetched).toHaveLength(3);
			for (const address of fetched) expect(new URL(address).hostname).toBe("127.0.0.1");
			// The door it answered at is closed again.
			await expect(fetch(fetched[0] ?? "")).rejects.toThrow();
			expect(readdirSync(runDirectory)).toEqual([]);
		},
		30_000,
	);
});

describe("a rehearsal", () => {
	const createAgentSession = vi.fn();
	const library = {
		createAgentSession,
		SettingsManager: { inMemory: () => ({}) },
		ModelRuntime: { create: createAgentSession },
	} as unknown as RehearsalLibrary;

	it("is not held over an API that might call its real provider, through a proxy, or when no task is awaited", async () => {
		await rehearseTurns(rehearsal(library, { api: "bedrock-converse-stream" }));
		await rehearseTurns(rehearsal(library, { env: { http_proxy: "http://proxy:3128" } }));
		await rehearseTurns(rehearsal(library, { isWaiting: () => false, patienceMs: 20 }));
		expect(createAgentSession).not.toHaveBeenCalled();
	});

	it("waits until the child has nothing else to do, ends when the task comes, and keeps every failure to itself", async () => {
		let asked = 0;
		createAgentSession.mockRejectedValueOnce(new Error("not like this"));
		await rehearseTurns(rehearsal(library, { isWaiting: () => ++asked > 3 }));
		expect(asked).toBe(5);
		expect(createAgentSession).toHaveBeenCalledOnce();
	});

	it("needs all of what it uses", () => {
		expect(hasRehearsalLibrary({ createAgentSession: () => undefined })).toBe(false);
	});
});
