import { readFileSync } from "node:fs";
import { join } from "node:path";
import { splitLines, withRegularFile } from "@deputize/ground";
import type { ChangedFile } from "../contract/changes.ts";
import { lookAt, toBytePath } from "../git/look-at.ts";
import { openStore } from "../git/open-store.ts";
import type { Touched } from "./list-touched.ts";
import type { OpenedLayer } from "./open-layer.ts";
import { createOwnRepositoryTest } from "./own-repository.ts";
import { toShown } from "./to-shown.ts";
import { storeDirectory, viewFiles } from "./view-files.ts";

/** Of more nothing is said but their number. */
const MAX_LOOKED_AT = 200;
const MAX_FILE_BYTES = 1024 * 1024;

type PeekedLayer = Pick<OpenedLayer, "state" | "project" | "probe" | "place">;

/**
 * What a child has changed so far, while it is at work: nothing is stored, so no one who collects is in the way. A line that
 * was moved is not counted. Undefined where it cannot be told.
 */
export async function peekChanges(
	layer: PeekedLayer,
	{ paths }: Pick<Touched, "paths">,
): Promise<readonly ChangedFile[] | undefined> {
	const { state, project } = layer;
	const isOfGit = createOwnRepositoryTest(project);
	const own = [...paths].filter((path) => !isOfGit(path));
	if (own.length === 0) return [];
	if (own.length > MAX_LOOKED_AT) return undefined;
	const ignored = await listIgnored(layer, own);
	return own
		.filter((path) => !ignored.has(path))
		.sort()
		.flatMap((path) => compareFile(path, { project, upper: join(state, "upper") }));
}

/** By the rules of the project as it is: the layer is mounted by its child, and must not be a second time. */
async function listIgnored(
	{ state, project, probe, place }: PeekedLayer,
	paths: readonly string[],
): Promise<ReadonlySet<string>> {
	const directory = storeDirectory(state);
	const view = viewFiles({ top: project, store: directory, probe, isExact: false });
	// The store takes every name literally, which this command cannot; with a dot in front none means more than itself.
	const named = await openStore({ directory, env: place.env }).script(
		'GIT_LITERAL_PATHSPECS=0 "$0" check-ignore --no-index --stdin -z',
		{
			view,
			input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
			isFine: (exitCode) => exitCode === 1,
		},
	);
	return new Set(
		named
			.toString("latin1")
			.split("\0")
			.map((path) => path.slice("./".length)),
	);
}

function compareFile(
	path: string,
	{ project, upper }: { readonly project: string; readonly upper: string },
): readonly ChangedFile[] {
	const before = lookAt(project, path);
	const after = lookAt(upper, path);
	// How a layer notes that something below is gone.
	const isGone = after === undefined || after.isCharacterDevice();
	if (isGone && before === undefined) return [];
	const status = isGone ? "deleted" : before === undefined ? "added" : "modified";
	const counted = countDifferentLines(readFileLines(project, path), isGone ? [] : readFileLines(upper, path));
	if (status === "modified" && counted?.added === 0 && counted.removed === 0) return [];
	return [{ path: toShown(path), status, ...counted, isApplied: false }];
}

function countDifferentLines(
	before: readonly string[] | undefined,
	after: readonly string[] | undefined,
): { readonly added: number; readonly removed: number } | undefined {
	if (before === undefined || after === undefined) return undefined;
	const left = new Map<string, number>();
	for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
	let added = 0;
	for (const line of after) {
		const count = left.get(line) ?? 0;
		if (count === 0) added += 1;
		else left.set(line, count - 1);
	}
	return { added, removed: [...left.values()].reduce((sum, count) => sum + count, 0) };
}

/** None of what is not there; undefined for what is no text, or too long to look at every other second. */
function readFileLines(top: string, path: string): readonly string[] | undefined {
	if (lookAt(top, path) === undefined) return [];
	const bytes = withRegularFile(toBytePath(top, path), (descriptor, { size }) =>
		size > MAX_FILE_BYTES ? undefined : readFileSync(descriptor),
	);
	return bytes === undefined || bytes.includes(0) ? undefined : splitLines(bytes.toString("latin1"));
}
