import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "@deputize/ground";
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

/** Keeps the program's own thread busy for good, from SIGUSR2 on. */
const BUSY = "--import=data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})";
/** Three seconds of work without a pause. */
const COMPUTES =
	"--import=data:text/javascript,process.on('SIGUSR2',()=>{for(let%20i=0;i<300;i+=1){const%20end=process.threadCpuUsage().user+1e4;do{for(let%20j=0;j<1e5;j+=1);}while(process.threadCpuUsage().user<end)}})";

/** Lets a process run for 10 of 200 ms, like a container with a twentieth of a processor. */
async function starve(pid: number, forMs: number): Promise<void> {
	const until = Date.now() + forMs;
	while (Date.now() < until) {
		process.kill(pid, "SIGCONT");
		await sleep(10);
		process.kill(pid, "SIGSTOP");
		await sleep(190);
	}
	process.kill(pid, "SIGCONT");
}

async function start(args: readonly string[], env: Record<string, string> = {}) {
	const { url, asked } = await startModel();
	const payload = { model: "m", provider: "openai-chat", url, api_key_name: "TEST_KEY", prompt: "x" };
	return { ...startProgram(payload, { args, env }), asked };
}

/** A program whose thread is busy from here on. */
async function startBusy(args: readonly string[], preload = BUSY) {
	const program = await start(args, { NODE_OPTIONS: preload });
	await program.asked;
	// The watch starts a moment after the program.
	await sleep(1000);
	program.child.kill("SIGUSR2");
	return program;
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

function expectLastWords({ events }: Awaited<ReturnType<typeof endingWithin>>, code: string): void {
	expect(events.at(-2)).toMatchObject({ event: "error", data: { code } });
	expect(events.at(-1)?.event).toBe("response_end");
}

describe("exec whose own thread is busy (M5)", () => {
	it("ends at its limit, with its last words", async () => {
		const ending = await endingWithin(await startBusy(["--timeout-ms", "5000"]), 25_000);
		expect(ending.signal).toBe("SIGKILL");
		expect(ending.error).toMatchObject({ code: "timeout" });
		expectLastWords(ending, "timeout");
	});

	// Side by side: each computes for ten seconds before the watch ends it.
	it("ends on SIGTERM and SIGINT", async () => {
		const endings = (["SIGTERM", "SIGINT"] as const).map(async (signal) => {
			const program = await startBusy([]);
			setTimeout(() => program.child.kill(signal), 500);
			return endingWithin(program, 150_000);
		});
		for (const ending of await Promise.all(endings)) {
			expect(ending.signal).toBe("SIGKILL");
			expect(ending.error).toMatchObject({ code: "unresponsive" });
			expectLastWords(ending, "unresponsive");
		}
	}, 180_000);
});

describe("exec on a busy machine", () => {
	it("is not ended for work that it gets no processor for", async () => {
		const program = await startBusy([], COMPUTES);
		await starve(program.child.pid ?? 0, 16_000);
		program.child.kill("SIGTERM");
		const ending = await endingWithin(program, 30_000);
		expect(ending).toMatchObject({ exitCode: 143, error: { code: "aborted" } });
	}, 60_000);
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
