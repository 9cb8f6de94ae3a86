import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startProgram } from "../helpers/loop-program.ts";

let server: Server;
let url: string;
/** Resolves when the program has asked its model, which never answers. */
let asked: Promise<void>;
beforeEach(async () => {
	let note: () => void = () => undefined;
	asked = new Promise((resolve) => {
		note = resolve;
	});
	server = createServer(() => note());
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

/** Keeps the program's own thread busy for good, some time after its start. */
const BUSY = "--import=data:text/javascript,setTimeout(()=>{for(;;);},1500)";

function start(args: readonly string[], env: Record<string, string> = {}) {
	const payload = { model: "m", provider: "openai-chat", url, api_key_name: "TEST_KEY", prompt: "x" };
	return startProgram(payload, { args, env });
}

/** The ending, or "still running" after this time; then the program is killed. */
async function endingWithin(program: ReturnType<typeof start>, waitMs: number) {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<"still running">((resolve) => {
		timer = setTimeout(() => resolve("still running"), waitMs);
	});
	const ending = await Promise.race([program.ended, late]);
	clearTimeout(timer);
	program.child.kill("SIGKILL");
	await program.ended;
	return ending;
}

describe("exec whose own thread is busy (M5)", () => {
	it("ends at its limit, with its last words", async () => {
		const ending = await endingWithin(start(["--timeout-ms", "3000"], { NODE_OPTIONS: BUSY }), 25_000);
		if (ending === "still running") throw new Error(ending);
		expect(ending.signal).toBe("SIGKILL");
		expect(ending.error).toMatchObject({ code: "timeout" });
		expect(ending.events.at(-1)?.event).toBe("response_end");
	});

	it.each(["SIGTERM", "SIGINT"] as const)("ends on %s", async (signal) => {
		const program = start([], { NODE_OPTIONS: BUSY });
		await asked;
		setTimeout(() => program.child.kill(signal), 2500);
		const ending = await endingWithin(program, 40_000);
		if (ending === "still running") throw new Error(ending);
		expect(ending.events.at(-1)?.event).toBe("response_end");
	});
});

describe("exec whose thread is free", () => {
	it.each([
		["SIGTERM", 143],
		["SIGINT", 130],
	] as const)("still ends by itself on %s, at once", async (signal, exitCode) => {
		const program = start([]);
		await asked;
		program.child.kill(signal);
		const ending = await endingWithin(program, 20_000);
		if (ending === "still running") throw new Error(ending);
		expect(ending).toMatchObject({ exitCode, error: { code: "aborted" } });
		expect(ending.events.at(-1)?.event).toBe("response_end");
	});

	it("still ends by itself at its limit", async () => {
		const ending = await endingWithin(start(["--timeout-ms", "1000"]), 20_000);
		if (ending === "still running") throw new Error(ending);
		expect(ending).toMatchObject({ exitCode: 124, error: { code: "timeout" } });
	});
});
