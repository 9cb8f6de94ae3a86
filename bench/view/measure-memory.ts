import type { Devtools } from "../../test/helpers/connect-devtools.ts";

const LEGS = 5;
const ROUNDS_A_LEG = 120;

export interface Memory {
	readonly requests: number;
	readonly heapMb: number;
	readonly residentMb: number;
}

type FetchPart = (path: string) => Promise<Response>;

/** The server's memory after a warm-up and after each further leg of requests of every kind, garbage collected. */
export async function measureMemory(fetchPart: FetchPart, server: Devtools): Promise<readonly Memory[]> {
	const ask = async (path: string): Promise<void> => {
		const reply = await fetchPart(path);
		if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
		await reply.arrayBuffer();
	};
	const listen = async (runId: string): Promise<void> => {
		const reply = await fetchPart(`api/live?run=${runId}`);
		const reader = reply.body?.getReader();
		await reader?.read();
		await reader?.cancel();
	};
	const paths = (round: number): readonly string[] => [
		`api/runs?page=${round % 50}&single=1`,
		`api/runs?text=task+${round}`,
		"api/run/3f2a91c0",
		"export/3f2a91c0.html",
		"api/spending",
		"api/batches",
		"api/batch/2c5d0000-0000-4000-8000-000000000000?status=failed",
		"page.js",
	];
	const readMemory = async (requests: number): Promise<Memory> => {
		await server.send("HeapProfiler.collectGarbage");
		const expression = "JSON.stringify(process.memoryUsage())";
		const { result } = (await server.send("Runtime.evaluate", { expression })) as {
			result: { value: string };
		};
		const { heapUsed, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage;
		const toMb = (bytes: number) => Number((bytes / 1024 / 1024).toFixed(1));
		return { requests, heapMb: toMb(heapUsed), residentMb: toMb(rss) };
	};
	let requests = 0;
	const runLeg = async (): Promise<Memory> => {
		for (let round = 0; round < ROUNDS_A_LEG; round += 1) {
			const asked = paths(round).map(ask);
			await Promise.all([...asked, listen("3f2a91c0"), listen("")]);
			requests += asked.length + 2;
		}
		return readMemory(requests);
	};
	const legs: Memory[] = [];
	for (let leg = 0; leg <= LEGS; leg += 1) legs.push(await runLeg());
	return legs;
}
