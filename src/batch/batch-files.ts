import { join, resolve, sep } from "node:path";
import { defined, findProject } from "@deputize/ground";

/** Everything a batch keeps on disk, named after its output. */
export interface BatchFiles {
	readonly output: string;
	/** The failed lines again, by themselves; rewritten when a run of the batch ends. */
	readonly failed: string;
	/** A directory with a patch for each task that changed something. */
	readonly changes: string;
	/** Present while a process writes the output. */
	readonly lock: string;
	/** What the batch is: its lane, its queue and how many tasks it has. */
	readonly state: string;
	/** What `batch pause`, `resume` and `cancel` ask the running process to do. */
	readonly control: string;
	/** A tree that these files may be in and that somebody else may have filled. */
	readonly tree?: string;
}

export function nameBatchFiles(output: string): BatchFiles {
	const path = resolve(output);
	const name = path.replace(/\.(jsonl|ndjson)$/i, "");
	return {
		output: path,
		failed: `${name}.failed.jsonl`,
		changes: `${name}.changes`,
		lock: `${path}.lock`,
		state: `${path}.state.json`,
		control: `${path}.control`,
		...defined({ tree: findProject(process.cwd()) }),
	};
}

/** Without the files of batches among them, which change with every task: those whose state is there as well. */
export function leaveOutBatchFiles(paths: readonly string[], root: string): readonly string[] {
	const ending = ".state.json";
	const outputs = paths.filter((path) => path.endsWith(ending)).map((path) => path.slice(0, -ending.length));
	const batches = outputs.map((path) => nameBatchFiles(join(root, path)));
	const written = new Set(
		batches.flatMap(({ output, failed, lock, state, control }) => [output, failed, lock, state, control]),
	);
	return paths.filter((path) => {
		const whole = join(root, path);
		return !written.has(whole) && !batches.some(({ changes }) => whole.startsWith(`${changes}${sep}`));
	});
}
