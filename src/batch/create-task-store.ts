import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createLineSplitter, makePrivateDirectory } from "@deputize/ground";
import type { BatchTask } from "./batch-record.ts";

/** More than this waits on disk. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * The tasks of a batch in their order. Many or long ones are in a temporary file that nobody else can open, so that memory does not
 * grow with the input, and what was checked is what runs, also when the input is changed or cannot be read twice.
 */
export function createTaskStore() {
	let blocks: Buffer[] = [];
	let blockBytes = 0;
	let fileBytes = 0;
	let descriptor: number | undefined;
	let size = 0;
	const spill = (): void => {
		descriptor ??= openUnnamed();
		for (const block of blocks) {
			for (let at = 0; at < block.length; ) at += writeSync(descriptor, block, at, undefined, fileBytes + at);
			fileBytes += block.length;
		}
		blocks = [];
		blockBytes = 0;
	};
	function* readBlocks(): Generator<Buffer> {
		for (let at = 0; descriptor !== undefined && at < fileBytes; ) {
			const block = Buffer.allocUnsafe(Math.min(READ_BYTES, fileBytes - at));
			const bytes = readSync(descriptor, block, 0, block.length, at);
			if (bytes === 0) throw new Error("The temporary file of the batch has become shorter.");
			at += bytes;
			yield block.subarray(0, bytes);
		}
		yield* blocks;
	}
	return {
		size: (): number => size,
		add(task: BatchTask): void {
			const line = Buffer.from(`${JSON.stringify(task)}\n`);
			blocks.push(line);
			blockBytes += line.length;
			size += 1;
			if (blockBytes > MAX_MEMORY_BYTES) spill();
		},
		*[Symbol.iterator](): Generator<BatchTask> {
			let tasks: BatchTask[] = [];
			const splitter = createLineSplitter({
				maxLineBytes: Number.MAX_SAFE_INTEGER,
				onLine: (line) => tasks.push(JSON.parse(line.toString("utf8")) as BatchTask),
			});
			for (const block of readBlocks()) {
				splitter.push(block);
				yield* tasks;
				tasks = [];
			}
		},
		close(): void {
			if (descriptor !== undefined) closeSync(descriptor);
			descriptor = undefined;
		},
	};
}

export type TaskStore = ReturnType<typeof createTaskStore>;

/** Nothing is left of it when the process ends, however that ends. */
function openUnnamed(): number {
	const directory = makePrivateDirectory("deputize-tasks-");
	try {
		return openSync(join(directory, "tasks"), "wx+", 0o600);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}
