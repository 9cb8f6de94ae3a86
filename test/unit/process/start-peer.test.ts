import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { type Peer, startPeer } from "../../../src/process/start-peer.ts";
import { childFixture, markedEnvironment, runningWith } from "../../helpers/process-children.ts";

const { env, mark } = markedEnvironment();
const start = (...args: string[]): Peer =>
	startPeer({ command: process.execPath, args, cwd: process.cwd(), env });

afterEach(() => {
	expect(runningWith(mark), "processes left behind").toEqual([]);
});

describe("a peer", () => {
	it("is talked to for as long as it is useful, then stopped", async () => {
		const peer = start(childFixture("echo-input"));
		await once(peer.stdout, "data");
		for (const word of ["one", "two"]) {
			peer.stdin.write(word);
			const [answer] = await once(peer.stdout, "data");
			expect(String(answer)).toBe(word);
		}
		expect(await peer.stop()).toEqual({ exitCode: null, signal: "SIGTERM" });
		expect(await peer.ended).toEqual({ exitCode: null, signal: "SIGTERM" });
	});

	it("that ignores SIGTERM is killed after the grace", async () => {
		const peer = start(childFixture("ignore-sigterm"));
		await once(peer.stdout, "data");
		expect(await peer.stop(100)).toEqual({ exitCode: null, signal: "SIGKILL" });
	});

	it("takes what it started in another session with it", async () => {
		const peer = start(childFixture("start-detached-grandchild"));
		await once(peer.stdout, "data");
		expect(runningWith(mark)).toHaveLength(2);
		await peer.stop();
		expect(runningWith(mark)).toEqual([]);
	});

	it("that dies is reported, its last words and complaints kept", async () => {
		const peer = start("-e", "console.log('last'); console.error('because'); process.exitCode = 7");
		let said = "";
		peer.stdout.on("data", (chunk) => {
			said += chunk;
		});
		expect(await peer.ended).toEqual({ exitCode: 7, signal: null });
		expect(said).toBe("last\n");
		expect(peer.stderrTail()).toBe("because\n");
	});

	it("may be written to after it died", async () => {
		const peer = start("-e", "process.exit(0)");
		peer.stdin.write("x".repeat(1_000_000));
		await peer.ended;
		peer.stdin.write("more");
		expect(await peer.stop()).toEqual({ exitCode: 0, signal: null });
	});

	it("that cannot be started has streams that end and a message", async () => {
		const peer = startPeer({ command: "no-such-program-anywhere", args: [], cwd: "/no/such/directory", env });
		expect(peer.pid).toBeUndefined();
		peer.stdin.write("hello");
		peer.stdout.resume();
		expect((await peer.ended).message).toContain("/no/such/directory");
		const missing = startPeer({ command: "no-such-program-anywhere", args: [], cwd: process.cwd(), env });
		missing.stdin.write("hello");
		expect((await missing.ended).message).toContain("no-such-program-anywhere");
	});
});
