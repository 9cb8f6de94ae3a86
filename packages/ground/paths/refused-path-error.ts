/** A place that is not written to because it is somebody else's, or leads there. Says which, where it leads and what to do. */
export class RefusedPathError extends Error {
	override readonly name = "refused";
}
