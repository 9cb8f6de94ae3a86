import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { batchEnvironment, createBatchDirectory } from "../helpers/batch-lanes.ts";
import { findFreePort, stopProcess, waitForPort, waitUntil } from "../helpers/queue-server.ts";
import { type CliRun, runCli } from "../helpers/run-cli.ts";
import { startRedis } from "../helpers/start-redis.ts";

/** What a person has to wait for the first sentence, on a busy machine. */
const SENTENCE_MS = 10_000;
/** Two seconds to leave, and as many to end a process of Node on a busy machine. */
const LEAVE_MS = 5000;

let directory: ReturnType<typeof createBatchDirectory>;
beforeEach(() => {
	directory = createBatchDirectory();
	mkdirSync(join(directory.path, "project"));
});
afterEach(() => directory.remove());

interface StartedCli {
	readonly ended: Promise<CliRun>;
	said(): string;
	end(signal: NodeJS.Signals): Promise<void>;
}

function startCli(args: readonly string[], env: Record<string, string> = {}): StartedCli {
	let end: StartedCli["end"] = async () => undefined;
	let text = "";
	const ended = runCli(args, {
		cwd: join(directory.path, "project"),
		env: { ...batchEnvironment(directory.path), ...env },
		input: "a question\n",
		onStart(child) {
			child.stderr?.on("data", (chunk: Buffer) => {
				text += chunk.toString("utf8");
			});
			end = (signal) => stopProcess(child, signal);
		},
	});
	return { ended, said: () => text, end: (signal) => end(signal) };
}

const WORKER = ["worker", "--workspace", "here=.", "--agents", "explorer"];
const BATCH = ["batch", "-", "--agent", "explorer", "--task", "{line}", "-o", "out.jsonl", "--offline"];

/** A server that takes connections and treats each as the test says. */
async function listen(server: Server): Promise<{ readonly port: number; close(): void }> {
	const port = await findFreePort();
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
	return { port, close: () => server.close() };
}

describe.each([
	["a worker", WORKER],
	["a batch", BATCH],
])("%s whose queue does not answer", (_who, command) => {
	test.each([["redis"], ["postgres"]])(
		"says so, and leaves when it is asked to: %s",
		async (scheme) => {
			const port = await findFreePort();
			const cli = startCli(command, { DEPUTIZE_QUEUE: `${scheme}://someone:hush@127.0.0.1:${port}/0` });
			await waitUntil(() => cli.said().includes("does not answer"), "the sentence", SENTENCE_MS);
			expect(cli.said()).toContain("ECONNREFUSED");
			expect(cli.said()).not.toContain("hush");
			const askedAt = Date.now();
			await cli.end("SIGTERM");
			expect(Date.now() - askedAt).toBeLessThan(LEAVE_MS);
			await cli.ended;
		},
		60_000,
	);

	test("says so when it takes connections and is silent", async () => {
		const server = await listen(createServer((socket) => socket.on("error", () => undefined)));
		const cli = startCli([...command, "--queue", `redis://127.0.0.1:${server.port}`]);
		try {
			await waitUntil(() => cli.said().includes("does not answer"), "the sentence", SENTENCE_MS);
			await cli.end("SIGTERM");
			await cli.ended;
		} finally {
			server.close();
		}
	}, 60_000);
});

test("a queue that goes away keeps neither worker nor batch from leaving, and both say that they wait", async () => {
	const redis = await startRedis({ keeps: "nothing" });
	const queue = ["--queue", redis.url];
	const batch = startCli([...BATCH, ...queue, "--workspace", "elsewhere"]);
	const worker = startCli([...WORKER, ...queue]);
	try {
		await waitUntil(() => worker.said().includes("Not joining batch"), "the worker to look", 30_000);
		await waitUntil(() => batch.said().includes("No worker"), "the batch to look", 30_000);
		await redis.kill();
		for (const cli of [batch, worker])
			await waitUntil(() => cli.said().includes("The queue does not answer"), "the sentence", SENTENCE_MS);
		for (const cli of [batch, worker]) {
			const askedAt = Date.now();
			await cli.end("SIGTERM");
			expect(Date.now() - askedAt).toBeLessThan(LEAVE_MS);
			await cli.ended;
		}
	} finally {
		for (const cli of [batch, worker]) await cli.end("SIGKILL");
		await redis.stop();
	}
}, 120_000);

describe("a queue that refuses", () => {
	let place: string;
	beforeAll(() => {
		place = mkdtempSync(join(tmpdir(), "deputize-queue-refuses-"));
	});
	afterAll(() => rmSync(place, { recursive: true, force: true }));

	test("a wrong password is an error at once; the right one from a file is not on the command line", async () => {
		const port = await findFreePort();
		const redis = spawn(
			"redis-server",
			["--port", String(port), "--bind", "127.0.0.1", "--dir", place, "--save", "", "--requirepass", "right"],
			{ stdio: "ignore" },
		);
		try {
			await waitForPort(port);
			for (const password of ["wrong", ""]) {
				const refused = await startCli([...WORKER, "--queue", `redis://:${password}@127.0.0.1:${port}`])
					.ended;
				expect(refused.stderr).toMatch(/refuses us \(.*(WRONGPASS|NOAUTH).*Correct its user and password/);
				expect(refused.code).toBe(2);
			}
			const file = join(place, "address");
			writeFileSync(file, `redis://:right@127.0.0.1:${port}\n`);
			const batch = startCli([...BATCH, "--queue", `file:${file}`]);
			await waitUntil(() => batch.said().includes("No worker is connected"), "the queue", 30_000);
			expect(readFileSync(join(directory.path, "project", "out.jsonl.state.json"), "utf8")).toContain("***");
			await batch.end("SIGTERM");
			await batch.ended;
		} finally {
			await stopProcess(redis, "SIGTERM");
		}
	}, 120_000);

	test("a certificate that nobody vouches for is an error at once", async () => {
		const [key, cert] = [join(place, "key.pem"), join(place, "cert.pem")];
		execFileSync(
			"openssl",
			[
				..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost".split(
					" ",
				),
				...["-keyout", key, "-out", cert],
			],
			{ stdio: "ignore" },
		);
		expect(existsSync(cert)).toBe(true);
		const server = await listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }));
		try {
			const refused = await startCli([...WORKER, "--queue", `rediss://127.0.0.1:${server.port}`]).ended;
			expect(refused.stderr).toMatch(/refuses us \(.*NODE_EXTRA_CA_CERTS/);
			expect(refused.code).toBe(2);
		} finally {
			server.close();
		}
	}, 60_000);
});
