import { askClient } from "./ask-client.ts";
import type { Call } from "./create-server.ts";
import { chooseRoot, type DirectorySources, findNamedDirectory } from "./find-directory.ts";

const ROOTS_TIMEOUT_MS = 5000;
const QUESTION = { key: "roots", method: "roots/list" } as const;

export function createDirectoryFinder(sources: DirectorySources) {
	const named = findNamedDirectory(sources);
	let root: Promise<string | undefined> | undefined;

	// Not ended with the call that asks: other calls wait for the same answer.
	const askRoots = async ({ caller, params, outgoing }: Call): Promise<string | undefined> =>
		chooseRoot(
			await askClient(QUESTION, { caller, params, outgoing, timeoutMs: ROOTS_TIMEOUT_MS }),
			sources.cwd,
		);

	return {
		/** Where a call works. Asks the client for its roots once. */
		async find(call: Call): Promise<string> {
			if (named !== undefined) return named;
			if (!call.caller.hasRoots) return sources.cwd;
			root ??= askRoots(call);
			try {
				return (await root) ?? sources.cwd;
			} catch (error) {
				// The client has to answer a question first.
				root = undefined;
				throw error;
			}
		},
		/** What is known without asking. */
		known: async (): Promise<string> => named ?? (await root?.catch(() => undefined)) ?? sources.cwd,
		/** The roots that the client declared are no longer valid. */
		forget(): void {
			root = undefined;
		},
	};
}
