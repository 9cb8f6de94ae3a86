import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDefinition } from "../contract/agent.ts";

/** Which project agents a person approved, by content: an edited file is a new question. */
export interface ApprovedAgents {
	isApproved(agent: AgentDefinition): boolean;
	approve(agent: AgentDefinition): void;
}

const MAX_APPROVALS = 1000;

export function openApprovedAgents(agentDirectory: string): ApprovedAgents {
	const file = join(agentDirectory, "deputize-approved-agents.json");
	return {
		isApproved: (agent) => readApprovals(file)[agent.file] === agent.contentHash,
		approve: (agent) => {
			const kept = Object.entries(readApprovals(file)).slice(-MAX_APPROVALS);
			writeAtomically(
				file,
				JSON.stringify({ ...Object.fromEntries(kept), [agent.file]: agent.contentHash }, null, "\t"),
			);
		},
	};
}

function readApprovals(file: string): Readonly<Record<string, unknown>> {
	try {
		const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
		return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

function writeAtomically(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const temporary = `${file}.${process.pid}.tmp`;
	writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
	renameSync(temporary, file);
}
