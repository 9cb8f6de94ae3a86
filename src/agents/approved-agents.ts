import { join } from "node:path";
import { asObject, type JsonObject, readJsonFile, writeAtomically } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";

const MAX_APPROVALS = 1000;

/** Which project agents a person approved, by content: an edited file is a new question. */
export function openApprovedAgents(agentDirectory: string) {
	const file = join(agentDirectory, "deputize-approved-agents.json");
	return {
		isApproved: (agent: AgentDefinition): boolean => readApprovals(file)[agent.file] === agent.contentHash,
		approve: (agent: AgentDefinition): void => {
			const kept = Object.entries(readApprovals(file)).slice(-MAX_APPROVALS);
			writeApprovals(file, { ...Object.fromEntries(kept), [agent.file]: agent.contentHash });
		},
		/** Takes an approval back; false when there was none. */
		revoke: (agent: AgentDefinition): boolean => {
			const { [agent.file]: approved, ...others } = readApprovals(file);
			if (approved === undefined) return false;
			writeApprovals(file, others);
			return true;
		},
	};
}

function readApprovals(file: string): JsonObject {
	return asObject(readJsonFile(file));
}

function writeApprovals(file: string, approvals: JsonObject): void {
	writeAtomically(file, `${JSON.stringify(approvals, null, "\t")}\n`);
}
