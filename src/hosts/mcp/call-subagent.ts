import { asObject, asText, defined, type JsonObject, toOneLine } from "@deputize/ground";
import { ChildPool } from "../../children/child-pool.ts";
import { readSurroundings } from "../../config/read-surroundings.ts";
import type { AgentDefinition } from "../../contract/agent.ts";
import { DelegationError } from "../../contract/error-codes.ts";
import type { McpServerOptions } from "../../contract/mcp.ts";
import type { DelegationRequest } from "../../contract/request.ts";
import type { DelegationUpdate, ResultChanges } from "../../contract/result.ts";
import { createAgentQuestions } from "../../delegation/agent-questions.ts";
import { delegate } from "../../delegation/delegate.ts";
import type { ChangesDecision, DelegationHost } from "../../delegation/delegate-options.ts";
import { describeQuestion, type ToolGrant } from "../../delegation/describe-question.ts";
import { COMMAND_OPTION_NAMES } from "../../delegation/limit-names.ts";
import { loadProjectConfig } from "../../delegation/load-project-config.ts";
import { presentRunning } from "../../delegation/present-running.ts";
import { shareProjectServers } from "../../delegation/share-project-servers.ts";
import { noteChanges } from "../../delegation/to-result-changes.ts";
import type { SharedLanguageServers } from "../../toolbox/share-language-servers.ts";
import { askClient } from "./ask-client.ts";
import { type ClientLimits, findClientLimits } from "./client-limits.ts";
import type { Run, Runs } from "./create-runs.ts";
import type { Call } from "./create-server.ts";
import { reportProgress } from "./report-progress.ts";
import { toToolResult } from "./to-tool-result.ts";

/** After this time without an answer, nobody is assumed to be there. Shorter than any client waits for a call. */
const QUESTION_TIMEOUT_MS = 240_000;

export interface SubagentCalls {
	/** Undefined when the client cancelled the call. */
	run(call: Call, input: unknown, cwd: string): Promise<JsonObject | undefined>;
	close(): Promise<void>;
}

/** All delegations of one server: they share slots and answers about project agents. */
export function createSubagentCalls(server: {
	readonly options: McpServerOptions;
	readonly runs: Runs;
	readonly cwd: string;
	/** Replaced in tests. */
	readonly runDelegation?: typeof delegate;
}): SubagentCalls {
	const { options, runs, runDelegation = delegate } = server;
	// What is the door's own; the rest is for the delegation, which refuses options it does not know.
	const {
		answerWithinMs: _answer,
		maxResultBytes: _result,
		heartbeatMs: _heartbeat,
		...forDelegation
	} = options;
	const children = new ChildPool({ concurrency: readMaxConcurrency(server.cwd) });
	const questions = createAgentQuestions();
	const languageServers = openLanguageServers(options, server.cwd);

	const begin = (call: Call, input: unknown, cwd: string, limits: ClientLimits): Run =>
		runs.begin(asText(asObject(input)["agent"]), async ({ signal, onUpdate }) => {
			const place = children.enter({ signal });
			try {
				// Whether a project's language servers may run was decided for this directory only.
				const lspSocket = cwd === server.cwd ? await languageServers?.open() : undefined;
				const host: DelegationHost = defined({
					children: place,
					lspSocket,
					maxResultBytes: limits.maxResultBytes,
					callingClient: call.caller.name || undefined,
					parent: `mcp:${toOneLine(call.caller.name) || "unknown client"}`,
					optionNames: COMMAND_OPTION_NAMES,
					confirmAgent: call.caller.canElicit
						? (agent: AgentDefinition, granted: ToolGrant) =>
								questions.confirm(agent, () => askPerson(agent, granted, cwd, call, signal), signal)
						: undefined,
					// A client that answers by repeating its call would do so after the run, and begin another.
					decideChanges:
						call.caller.canElicit && !call.caller.isModern
							? (changes: ResultChanges) => askForId(changes, call, signal)
							: undefined,
				});
				return await runDelegation(input as DelegationRequest, {
					...forDelegation,
					...{ cwd, signal, onUpdate, host },
				});
			} finally {
				place.leave();
			}
		});

	const run = async (call: Call, input: unknown, cwd: string): Promise<JsonObject | undefined> => {
		const limits = chooseLimits(call, options);
		const { agent, sessionId } = asObject(input);
		const joined = runs.find(agent, sessionId) ?? begin(call, input, cwd, limits);
		const progress =
			call.sendProgress &&
			reportProgress((report) => call.sendProgress?.({ ...report }), {
				agent: joined.agent,
				heartbeatMs: options.heartbeatMs,
			});
		try {
			const waited = await runs.wait(joined, {
				signal: call.signal,
				answerWithinMs: limits.answerWithinMs,
				onUpdate: (update) => progress?.note(update),
			});
			if (waited.kind === "cancelled") return undefined;
			if (waited.kind === "done") return toToolResult(waited.result);
			return toRunningResult(joined, waited.sessionId, waited.update, limits);
		} finally {
			progress?.stop();
		}
	};
	return { run, close: async () => languageServers?.close() };
}

/** Undefined when they are not shared or the configuration is invalid; the delegation itself reports that. */
function openLanguageServers(options: McpServerOptions, cwd: string): SharedLanguageServers | undefined {
	try {
		return shareProjectServers({ ...options, cwd });
	} catch (error) {
		if (error instanceof DelegationError) return undefined;
		throw error;
	}
}

function chooseLimits(call: Call, { answerWithinMs, maxResultBytes }: McpServerOptions): ClientLimits {
	const limits = findClientLimits(call.caller.name, call.sendProgress !== undefined);
	return { ...limits, ...defined({ answerWithinMs, maxResultBytes }) };
}

function readMaxConcurrency(cwd: string): number {
	const { agentDirectory } = readSurroundings();
	return loadProjectConfig(cwd, agentDirectory).config.subagents.maxConcurrency;
}

/**
 * A form appears while a person types something else, and in some clients the next key answers a yes-or-no question: a word
 * that nobody types by accident is the yes.
 */
async function askPerson(
	agent: AgentDefinition,
	granted: ToolGrant,
	cwd: string,
	call: Call,
	signal: AbortSignal,
): Promise<boolean> {
	const { title, message } = describeQuestion(agent, granted, cwd);
	const answer = await askClient(
		{
			// The key contains the content's hash: an answer counts only for the file as it was shown.
			key: `trust-${agent.contentHash}`,
			method: "elicitation/create",
			params: {
				mode: "form",
				message: `${title}\n${message}`,
				requestedSchema: {
					type: "object",
					properties: {
						run: {
							type: "string",
							title: `Type ${agent.name} to run it`,
							description: "Exactly this name. Anything else means no.",
						},
					},
					required: ["run"],
				},
			},
		},
		{ ...call, signal, timeoutMs: QUESTION_TIMEOUT_MS },
	);
	return answer?.["action"] === "accept" && asObject(answer["content"])["run"] === agent.name;
}

/** The id that has to be typed is nobody's accident, as the name of an agent is none. */
async function askForId(changes: ResultChanges, call: Call, signal: AbortSignal): Promise<ChangesDecision> {
	const { id = "" } = changes;
	const answer = await askClient(
		{
			key: `apply-${id}`,
			method: "elicitation/create",
			params: {
				mode: "form",
				message: ["Apply what the agent changed to the project?", ...noteChanges(changes)].join("\n"),
				requestedSchema: {
					type: "object",
					properties: {
						apply: {
							type: "string",
							title: `Type ${id} to apply them`,
							description: "Exactly this id. Anything else keeps them for later.",
						},
					},
					required: ["apply"],
				},
			},
		},
		{ ...call, signal, timeoutMs: QUESTION_TIMEOUT_MS },
	);
	const isTyped = answer?.["action"] === "accept" && asObject(answer["content"])["apply"] === id;
	return isTyped ? "apply" : "keep";
}

function toRunningResult(
	run: Run,
	sessionId: string,
	update: DelegationUpdate,
	limits: ClientLimits,
): JsonObject {
	const text = presentRunning(
		{
			agent: run.agent,
			sessionId,
			elapsedMs: performance.now() - run.startedAt,
			update,
			howToGoOn: `It goes on. To wait for its answer, call subagent again with agent "${run.agent}", sessionId "${sessionId}" and the task "Go on, and hand over your answer."; that is sent only if the run has ended in between.`,
		},
		limits.maxResultBytes,
	);
	return { content: [{ type: "text", text }] };
}
