import { readSurroundings } from "../../../../config/read-surroundings.ts";
import type { ViewServer } from "../../../../viewer/open-view-server.ts";

/** One server at most, started when it is first asked for. */
export function createPageDoor() {
	let opening: Promise<ViewServer> | undefined;
	return {
		/** A new address of it, with a token: for the person's eyes only. */
		async open(): Promise<string> {
			opening ??= import("../../../../viewer/open-view-server.ts").then(({ openViewServer }) =>
				openViewServer({ surroundings: readSurroundings() }),
			);
			try {
				return (await opening).createAddress();
			} catch (error) {
				opening = undefined;
				throw error;
			}
		},
		async close(): Promise<void> {
			const server = await opening?.catch(() => undefined);
			opening = undefined;
			await server?.close();
		},
	};
}

/** The page of runs for as long as a session of pi is open. */
export type PageDoor = ReturnType<typeof createPageDoor>;
