/** A content type without its parameters, in lower case; empty when there is none. */
export function mediaTypeOf(contentType = ""): string {
	return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}
