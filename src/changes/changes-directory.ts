import { join } from "node:path";

/** Every layer and every stored change: one directory each, named by its id. */
export function changesDirectory(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "changes");
}

export function stateDirectory(agentDirectory: string, id: string): string {
	return join(changesDirectory(agentDirectory), id);
}

export const CHANGE_ID = /^[0-9a-f]{8}$/;
