import { askClient } from "./ask-client.ts";
import type { Call } from "./create-server.ts";
import { chooseRoot, type DirectorySources, findNamedDirectory } from "./find-directory.ts";

interface DirectoryFinder {
	/** Where a call works. Asks the client for its roots once. */
	find(call: Call): Promise<string>;
	/** What is known without asking. */
	known(): Promise<string>;
	/** The roots that the client declared are no longer valid. */
	forget(): void;
}

const ROOTS_TIMEOUT_MS = 5000;
const QUESTION = { key: "roots", method: "roots/list" } as const;

export function createDirectoryFinder(sources: DirectorySources): DirectoryFinder {
	const named = findNamedDirectory(sources);
	let root: Promise<string | undefined> | undefined;

	// Not ended with the call that asks: other calls wait for the same answer.
	const askRoots = async ({ caller, params, outgoing }: Call): Promise<string | undefined> =>
		chooseRoot(
			await askClient(QUESTION, { caller, params, outgoing, timeoutMs: ROOTS_TIMEOUT_MS }),
			sources.cwd,
		);

	return {
		async find(call) {
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
		known: async () => named ?? (await root?.catch(() => undefined)) ?? sources.cwd,
		forget() {
			root = undefined;
		},
	};
}
