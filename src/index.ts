import { createDelegateInTurn } from "./delegation/delegate-in-turn.ts";

export type { RedactedText } from "@deputize/redaction";
export { collectSecrets, type SanitizeOptions, sanitizeOutput, sanitizeValue } from "@deputize/redaction";
export type { BatchOptions } from "./batch/batch-options.ts";
export type { BatchProgress } from "./batch/batch-progress.ts";
export type { BatchRecord, TaskError, TaskResult } from "./batch/batch-record.ts";
export type { TaskRequest } from "./batch/build-batch-tasks.ts";
export { type BatchRun, runBatch } from "./batch/run-batch.ts";
export { type ApplyResult, applyChanges } from "./changes/apply-changes.ts";
export { ChangesError } from "./changes/changes-error.ts";
export { dropChanges } from "./changes/drop-changes.ts";
export { listChanges } from "./changes/list-changes.ts";
export { readPatch } from "./changes/read-patch.ts";
export { type UndoResult, undoChanges } from "./changes/undo-changes.ts";
export { loadConfig } from "./config/load-config.ts";
export type { AgentDefinition, AgentSource, DiscoveredAgents, SkippedAgentFile } from "./contract/agent.ts";
export type {
	ChangedFile,
	ChangeOrigin,
	ChangeSet,
	ChangesPlace,
	Conflict,
	Isolation,
	NamedPaths,
} from "./contract/changes.ts";
export { DEFAULT_CONFIG, type DeputizeConfig } from "./contract/config.ts";
export { SUBAGENT_ERROR_CODES, type SubagentErrorCode } from "./contract/error-codes.ts";
export type { DelegationRequest } from "./contract/request.ts";
export type {
	Activity,
	BoundedText,
	Confinement,
	DelegationDetails,
	DelegationResult,
	DelegationUpdate,
	DisplayItem,
	HostUsage,
	SingleResult,
	StreamingDisplay,
} from "./contract/result.ts";
export type { Usage } from "./contract/usage.ts";
export type { DelegateOptions, DelegationHost } from "./delegation/delegate-options.ts";
export { describeDelegation } from "./delegation/describe-delegation.ts";
export {
	type DiscoverOptions,
	discoverAgentsHere as discoverAgents,
} from "./delegation/discover-agents-here.ts";
export {
	type CallSubagentContext,
	type CallSubagentRequest,
	callSubagent,
} from "./runtimes/loop/call-subagent.ts";
export { createCallSubagentTool } from "./runtimes/loop/create-call-subagent-tool.ts";

/** The walk from a request to a result; of many calls at once as many run as `subagents.maxConcurrency` says. Never rejects for what goes wrong in a run. */
export const delegate = createDelegateInTurn();
