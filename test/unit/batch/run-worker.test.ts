import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
	for (const name of ["open-queue-backend", "directory", "check-batch", "read-workspace-identity"])
		vi.doUnmock(`../../../src/batch/queue/${name}.ts`);
	vi.resetModules();
});

it("a worker that cannot check one batch says so, tells the directory, and works on the others", async () => {
	vi.resetModules();
	const drain = new AbortController();
	const entry = (id: string) => ({ id, state: "open", workspace: "here", agents: {} });
	const opened: string[] = [];
	const put = vi.fn(async () => drain.abort());
	vi.doMock("../../../src/batch/queue/open-queue-backend.ts", () => ({
		openQueueBackend: () => ({
			waitUntilReachable: async () => true,
			openWorker: (name: string) => {
				opened.push(name);
				return { on: () => undefined, close: async () => undefined, cancelAllJobs: () => undefined };
			},
		}),
	}));
	vi.doMock("../../../src/batch/queue/directory.ts", () => ({
		openDirectory: async () => ({
			list: async () => ({ batches: [entry("bad"), entry("good")] }),
			put,
			remove: async () => undefined,
			close: async () => undefined,
		}),
	}));
	vi.doMock("../../../src/batch/queue/check-batch.ts", () => ({
		checkBatch: async ({ id }: { id: string }) => {
			if (id === "bad") throw new Error("Git failed:\n\u001b[31mbad object");
			return { accepted: true, delegate: {}, services: [] };
		},
		createIdentityReader: () => undefined,
	}));
	const { runWorker } = await import("../../../src/batch/queue/run-worker.ts");
	const notices: string[] = [];
	await runWorker({
		queue: "redis://localhost",
		concurrency: 1,
		drain: drain.signal,
		stop: new AbortController().signal,
		workspaces: new Map(),
		agents: [],
		env: {},
		onNotice: (line) => notices.push(line),
	});
	const reason = "it could not be checked: Git failed: bad object";
	expect(notices).toEqual([`Not joining batch bad: ${reason}`, "Joining batch good in here."]);
	expect(opened).toHaveLength(1);
	expect(put).toHaveBeenCalledWith(expect.objectContaining({ refused: { bad: reason } }));
});

it("a worker asks Git once for a directory, however many batches are for other commits", async () => {
	vi.resetModules();
	const drain = new AbortController();
	const readWorkspaceIdentity = vi.fn(async () => "mine");
	const batches = Array.from({ length: 200 }, (_, number) => ({
		...{ kind: "batch", version: 1, id: String(number), state: "open", workspace: "here" },
		...{ commit: "another", agents: {}, delegate: {} },
	}));
	const put = vi.fn(async () => drain.abort());
	vi.doMock("../../../src/batch/queue/read-workspace-identity.ts", () => ({ readWorkspaceIdentity }));
	vi.doMock("../../../src/batch/queue/open-queue-backend.ts", () => ({
		openQueueBackend: () => ({ waitUntilReachable: async () => true }),
	}));
	const nothing = async (): Promise<void> => undefined;
	vi.doMock("../../../src/batch/queue/directory.ts", () => ({
		openDirectory: async () => ({ list: async () => ({ batches }), put, remove: nothing, close: nothing }),
	}));
	const { runWorker } = await import("../../../src/batch/queue/run-worker.ts");
	await runWorker({
		...{ queue: "redis://localhost", concurrency: 1, agents: [], env: {} },
		...{ drain: drain.signal, stop: new AbortController().signal },
		workspaces: new Map([["here", "/here"]]),
	});
	expect(readWorkspaceIdentity).toHaveBeenCalledTimes(1);
	const [[told] = []] = put.mock.calls as unknown as [{ refused: object }][];
	expect(Object.keys(told?.refused ?? {})).toHaveLength(200);
});
