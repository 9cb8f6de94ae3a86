/** A path by its bytes, as text. */
export function toShown(raw: string): string {
	return Buffer.from(raw, "latin1").toString("utf8");
}
