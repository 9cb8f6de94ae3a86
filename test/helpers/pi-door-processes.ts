import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** Processes that were started with this home: by its path in their environment. */
export function listProcessesOf(root: string): readonly number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter((pid) => readText(`/proc/${pid}/environ`).includes(root))
		.filter((pid) => !/^State:\s+Z/m.test(readText(`/proc/${pid}/status`)))
		.map(Number);
}

/** Those among them that are children of deputize, with everything around them (sandbox, lifeline). */
export function listChildrenOf(root: string): readonly number[] {
	return listProcessesOf(root).filter((pid) =>
		readText(`/proc/${pid}/environ`).includes("PI_SUBAGENT_CHILD=1"),
	);
}

export function readCommandLine(pid: number): readonly string[] {
	return readText(`/proc/${pid}/cmdline`).split("\0").filter(Boolean);
}

/** Looks until there is a child. */
export async function waitForChild(root: string): Promise<boolean> {
	for (let waited = 0; waited < WAIT_MS; waited += LOOK_AGAIN_MS) {
		if (listChildrenOf(root).length > 0) return true;
		await sleep(LOOK_AGAIN_MS);
	}
	return false;
}

function readText(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
