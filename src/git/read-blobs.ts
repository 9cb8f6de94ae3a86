import { GitError } from "./git-error.ts";
import type { Repository } from "./open-repository.ts";

/** The bytes of contents by their hash, as they are stored: no filter and no conversion. Larger ones are left out. */
export async function readBlobs(
	{ git }: Repository,
	hashes: readonly string[],
	maxBytes: number,
): Promise<ReadonlyMap<string, Buffer>> {
	const ask = (format: string, wanted: readonly string[]) =>
		wanted.length === 0 ? Buffer.alloc(0) : git(["cat-file", format], { input: `${wanted.join("\n")}\n` });
	const sizes = (await ask("--batch-check=%(objectname) %(objectsize)", hashes)).toString("latin1");
	const small = sizes.split("\n").flatMap((line) => {
		const [hash = "", size] = line.split(" ");
		if (size === "missing")
			throw new GitError(
				`the object ${hash} is not in the repository, and nothing is fetched here. Run git fsck, or git status in a partial clone, which fetches it.`,
			);
		return Number(size) <= maxBytes ? [hash] : [];
	});
	const blobs = await ask("--batch=%(objectname) %(objectsize)", small);
	const found = new Map<string, Buffer>();
	for (let at = 0; at < blobs.length; ) {
		const start = blobs.indexOf("\n", at) + 1;
		const [hash = "", size] = blobs.toString("latin1", at, start - 1).split(" ");
		const end = start + Number(size);
		found.set(hash, blobs.subarray(start, end));
		at = end + 1;
	}
	return found;
}
