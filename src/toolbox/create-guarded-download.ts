import type { DownloadDocument } from "../tools/convert/download-document.ts";

/** Downloads for the converter, through the client that refuses private addresses. */
export function createGuardedDownload(allowPrivateNetwork: boolean): DownloadDocument {
	return async (url, limits) => {
		const { createSafeClient } = await import("../tools/web/safe-fetch.ts");
		const client = createSafeClient({ allowPrivateNetwork });
		try {
			const answer = await client.fetchBytes(url, limits);
			return answer.ok
				? { ok: true, bytes: answer.bytes, contentType: answer.contentType }
				: { ok: false, code: answer.code, message: answer.message };
		} finally {
			await client.close();
		}
	};
}
