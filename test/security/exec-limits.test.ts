import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { startProgram } from "../helpers/loop-program.ts";

let servers: Server[] = [];
afterEach(() => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
	servers = [];
});

/** A model that never answers; `asked` resolves when the program has asked it. */
async function startModel(): Promise<{ readonly url: string; readonly asked: Promise<void> }> {
	let note: () => void = () => undefined;
	const asked = new Promise<void>((resolve) => {
		note = resolve;
	});
	const server = createServer(() => note());
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`, asked };
}

/** Keeps the program's own thread busy for good, some time after its start. */
const BUSY = "--import=data:text/javascript,setTimeout(()=>{for(;;);},1500)";

async function start(args: readonly string[], env: Record<string, string> = {}) {
	const { url, asked } = await startModel();
	const payload = { model: "m", provider: "openai-chat", url, api_key_name: "TEST_KEY", prompt: "x" };
	return { ...startProgram(payload, { args, env }), asked };
}

/** The ending, or "still running" after this time; then the program is killed. */
async function endingWithin(program: Awaited<ReturnType<typeof start>>, waitMs: number) {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<"still running">((resolve) => {
		timer = setTimeout(() => resolve("still running"), waitMs);
	});
	const ending = await Promise.race([program.ended, late]);
	clearTimeout(timer);
	program.child.kill("SIGKILL");
	await program.ended;
	if (ending === "still running") throw new Error(ending);
	return ending;
}

describe("exec whose own thread is busy (M5)", () => {
	it("ends at its limit, with its last words", async () => {
		const ending = await endingWithin(await start(["--timeout-ms", "3000"], { NODE_OPTIONS: BUSY }), 25_000);
		expect(ending.signal).toBe("SIGKILL");
		expect(ending.error).toMatchObject({ code: "timeout" });
		expect(ending.events.at(-1)?.event).toBe("response_end");
	});

	// Side by side: each waits ten seconds for the watch.
	it("ends on SIGTERM and SIGINT", async () => {
		const endings = (["SIGTERM", "SIGINT"] as const).map(async (signal) => {
			const program = await start([], { NODE_OPTIONS: BUSY });
			await program.asked;
			setTimeout(() => program.child.kill(signal), 2500);
			return endingWithin(program, 40_000);
		});
		for (const ending of await Promise.all(endings)) expect(ending.events.at(-1)?.event).toBe("response_end");
	});
});

describe("exec whose thread is free", () => {
	it.each([
		["SIGTERM", 143],
		["SIGINT", 130],
	] as const)("still ends by itself on %s, at once", async (signal, exitCode) => {
		const program = await start([]);
		await program.asked;
		program.child.kill(signal);
		const ending = await endingWithin(program, 20_000);
		expect(ending).toMatchObject({ exitCode, error: { code: "aborted" } });
		expect(ending.events.at(-1)?.event).toBe("response_end");
	});

	it("still ends by itself at its limit", async () => {
		const ending = await endingWithin(await start(["--timeout-ms", "1000"]), 20_000);
		expect(ending).toMatchObject({ exitCode: 124, error: { code: "timeout" } });
	});
});
