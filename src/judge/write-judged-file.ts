import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readlinkSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { canonicalPath, codeOf, describeKind, isInside, ToolError } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";

const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const FLAGS = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Writes a regular file inside of a tree, if the judge allows it; directories that are missing are made. As in
 * `openJudged`, what is judged is the open descriptor, before a byte of the file changes.
 */
export function writeJudgedFile(
	path: string,
	content: string | Uint8Array,
	place: { readonly judge: Judge; readonly root: string },
	shown = path,
): void {
	const real = canonicalPath(path);
	refuseOutside(real, place, shown);
	const descriptor = orExplain(() => {
		mkdirSync(dirname(real), { recursive: true });
		return openSync(real, FLAGS, 0o666);
	}, shown);
	try {
		const stats = fstatSync(descriptor);
		if (!stats.isFile())
			throw new ToolError("FILE_WRONG_KIND", `${shown} is ${describeKind(stats)}, not a regular file.`);
		refuseOutside(readOpenedPath(descriptor) ?? canonicalPath(real), place, shown);
		orExplain(() => writeWhole(descriptor, Buffer.from(content)), shown);
	} finally {
		closeSync(descriptor);
	}
}

function refuseOutside(
	real: string,
	{ judge, root }: { readonly judge: Judge; readonly root: string },
	shown: string,
): void {
	const tree = canonicalPath(root);
	if (real === tree || !isInside(tree, real))
		throw new ToolError("FILE_CLOSED", `${shown} may not be written: it is outside of ${root}.`);
	const reason = judge.explain(real);
	if (reason !== undefined) throw new ToolError("FILE_CLOSED", `${shown} may not be written: ${reason}`);
}

/** Where the descriptor leads; undefined where the kernel does not tell. */
function readOpenedPath(descriptor: number): string | undefined {
	try {
		return readlinkSync(`/proc/self/fd/${descriptor}`);
	} catch {
		return undefined;
	}
}

function writeWhole(descriptor: number, bytes: Buffer): void {
	let at = 0;
	while (at < bytes.length) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
	ftruncateSync(descriptor, bytes.length);
}

function orExplain<Value>(work: () => Value, shown: string): Value {
	try {
		return work();
	} catch (error) {
		const code = codeOf(error);
		if (code === "ELOOP") throw new ToolError("FILE_CLOSED", `${shown} is a link that leads nowhere.`);
		if (code === "EISDIR") throw new ToolError("FILE_WRONG_KIND", `${shown} is a directory.`);
		if (code === "ENOTDIR" || code === "EEXIST")
			throw new ToolError("FILE_WRONG_KIND", `A part of the way to ${shown} is a file.`);
		throw new ToolError("FILE_NOT_WRITTEN", `${shown} could not be written (${code}).`);
	}
}
