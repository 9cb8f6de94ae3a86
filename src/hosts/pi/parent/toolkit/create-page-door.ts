import { readSurroundings } from "../../../../config/read-surroundings.ts";
import type { ViewServer } from "../../../../viewer/open-view-server.ts";

/** The page of runs for as long as a session of pi is open. */
export interface PageDoor {
	/** Its address, with the token: for the person's eyes only. */
	open(): Promise<string>;
	close(): Promise<void>;
}

/** One server at most, started when it is first asked for. */
export function createPageDoor(): PageDoor {
	let opening: Promise<ViewServer> | undefined;
	return {
		async open() {
			opening ??= import("../../../../viewer/open-view-server.ts").then(({ openViewServer }) =>
				openViewServer({ surroundings: readSurroundings() }),
			);
			try {
				return (await opening).address;
			} catch (error) {
				opening = undefined;
				throw error;
			}
		},
		async close() {
			const server = await opening?.catch(() => undefined);
			opening = undefined;
			await server?.close();
		},
	};
}
