import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLspDeadline } from "../../../../../src/tools/lsp/lsp-error.ts";
import { type AnswerScope, settleAnswer } from "../../../../../src/tools/lsp/questions/settle-answer.ts";
import type { LanguageServer } from "../../../../../src/tools/lsp/servers/start-language-server.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function createServer(loadsBeforeAnswering: boolean, ageMs = 0): LanguageServer {
	return {
		settled: new Map(),
		ageMs: () => ageMs,
		progress: { openCount: () => 0, generation: () => 0, whenIdle: async () => true },
		launch: { definition: loadsBeforeAnswering ? { loadsBeforeAnswering } : {} },
	} as unknown as LanguageServer;
}

/** Asks for names until the answer settles; the last answer is repeated. */
async function ask(server: LanguageServer, scope: AnswerScope, ...answers: readonly (readonly string[])[]) {
	let asked = 0;
	const deadline = createLspDeadline(5_000, new AbortController().signal);
	const settling = settleAnswer({
		server,
		scope,
		deadline,
		coldTimeoutMs: 20_000,
		ask: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
		isEmpty: (names) => names.length === 0,
	});
	for (let pause = 0; pause < 10; pause += 1) await vi.advanceTimersByTimeAsync(300);
	const { answer, isComplete } = await settling;
	deadline.end();
	return { answer, isComplete, asked };
}

describe("a server that was just started", () => {
	it.each(["symbol", "workspace"] as const)("is asked until two answers agree (%s)", async (scope) => {
		const settled = await ask(createServer(false), scope, ["a"], ["a", "b"], ["a", "b"]);
		expect(settled).toEqual({ answer: ["a", "b"], isComplete: true, asked: 3 });
	});

	it.each(["symbol", "workspace"] as const)(
		"is asked once when it loads the project before it answers (%s)",
		async (scope) => {
			const server = createServer(true);
			expect(await ask(server, scope, ["a"], ["b"])).toEqual({ answer: ["a"], isComplete: true, asked: 1 });
			expect(server.settled.has(scope)).toBe(true);
		},
	);

	it.each([true, false])("is asked four times before nothing is believed", async (loadsBeforeAnswering) => {
		expect(await ask(createServer(loadsBeforeAnswering), "workspace", [])).toMatchObject({ asked: 4 });
	});

	it("is believed about a file alone", async () => {
		expect(await ask(createServer(false), "file", ["a"])).toMatchObject({ asked: 1 });
	});
});

describe("a server that has settled", () => {
	it("is asked once, unless it is young and the question is about the workspace", async () => {
		const old = createServer(false, 60_000);
		expect(await ask(old, "workspace", ["a"])).toMatchObject({ asked: 2 });
		expect(await ask(old, "workspace", ["a"])).toMatchObject({ asked: 1 });
		const young = createServer(false);
		expect(await ask(young, "workspace", ["a"])).toMatchObject({ asked: 2 });
		expect(await ask(young, "workspace", ["a"])).toMatchObject({ asked: 2 });
	});
});
