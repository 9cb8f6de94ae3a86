import { readdirSync, readFileSync } from "node:fs";

/** Processes that were started with this home: by its path in their environment. */
export function listProcessesOf(root: string): readonly number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter((pid) => readText(`/proc/${pid}/environ`).includes(root))
		.filter((pid) => !/^State:\s+Z/m.test(readText(`/proc/${pid}/status`)))
		.map(Number);
}

function readText(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
