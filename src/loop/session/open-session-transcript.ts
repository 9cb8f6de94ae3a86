import { existsSync, readFileSync, statSync } from "node:fs";
import {
	appendToFile,
	asList,
	asObject,
	asText,
	defined,
	isText,
	parseJson,
	parseWith,
} from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";
import type { LoopChildExtension } from "../../contract/loop.ts";
import { LoopError } from "../loop-error.ts";
import type { HistoryEntry, NativeTurn } from "../providers/provider.ts";

const TRANSCRIPT_VERSION = 1;

interface TranscriptOptions {
	readonly session: NonNullable<LoopChildExtension["session"]>;
	readonly agent: string;
	readonly cwd: string;
}

/** One JSON line for each entry of the conversation, after a header that says whose it is. */
export function openSessionTranscript(options: TranscriptOptions) {
	const { session } = options;
	const lines = readLines(session.file);
	checkOwner(lines[0]);
	const history = dropOpenCalls(lines.flatMap(parseEntry));
	if (!existsSync(session.file) || statSync(session.file).size === 0) {
		append({
			type: "session",
			version: TRANSCRIPT_VERSION,
			id: session.id,
			timestamp: new Date().toISOString(),
			cwd: options.cwd,
			agent: options.agent,
			runtime: "loop",
		});
	}

	function append(line: unknown): void {
		appendToFile(session.file, `${JSON.stringify(line)}\n`);
	}
	return {
		history,
		/** Written at once, so that a child that is killed loses nothing it had finished. */
		remember: (entry: HistoryEntry): void =>
			append({ type: "message", timestamp: new Date().toISOString(), ...entry }),
	};
}

export type SessionTranscript = ReturnType<typeof openSessionTranscript>;

/** Two programs that write into one file in two forms would lose the conversation for both. */
function checkOwner(header: unknown): void {
	if (header === undefined || asObject(header)["runtime"] === "loop") return;
	throw new LoopError(
		"session_mismatch",
		"This session was not made by the loop runtime. Continue it with the runtime it began with, or start a new one.",
	);
}

function readLines(file: string): readonly unknown[] {
	if (!existsSync(file)) return [];
	if (statSync(file).size > LIMITS.maxSessionFileBytes) {
		throw new LoopError(
			"session_too_large",
			`The session file is larger than ${LIMITS.maxSessionFileBytes} bytes; start a new session.`,
		);
	}
	const text = readFileSync(file, "utf8");
	// A last line without its end was torn by a crash. It is closed here, so that the next line stays whole.
	if (text !== "" && !text.endsWith("\n")) appendToFile(file, "\n");
	return text
		.split("\n")
		.map(parseJson)
		.filter((line) => line !== undefined);
}

function parseEntry(line: unknown): readonly HistoryEntry[] {
	const fields = asObject(line);
	if (fields["type"] !== "message") return [];
	if (fields["kind"] === "user") return [{ kind: "user", text: asText(fields["text"]) }];
	if (fields["kind"] === "tools") {
		const results = asList(fields["results"]).map((value) => {
			const result = asObject(value);
			return {
				id: asText(result["id"]),
				name: asText(result["name"]),
				text: asText(result["text"]),
				isError: result["isError"] === true,
			};
		});
		return [{ kind: "tools", results }];
	}
	if (fields["kind"] !== "assistant") return [];
	const toolCalls = asList(fields["toolCalls"]).map((value) => {
		const call = asObject(value);
		return {
			id: asText(call["id"]),
			name: asText(call["name"]),
			argumentsText: asText(call["argumentsText"]),
		};
	});
	const native = parseWith<NativeTurn>(fields["native"], {
		family: isText,
		model: isText,
		content: Array.isArray,
	});
	return [{ kind: "assistant", text: asText(fields["text"]), toolCalls, ...defined({ native }) }];
}

/** Calls that were never answered, because the run ended first, would make every provider refuse the conversation. */
function dropOpenCalls(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
	return history.flatMap((entry, index): readonly HistoryEntry[] => {
		if (entry.kind === "tools") return history[index - 1]?.kind === "assistant" ? [entry] : [];
		if (entry.kind !== "assistant" || entry.toolCalls.length === 0) return [entry];
		const next = history[index + 1];
		const answered =
			next?.kind === "tools" &&
			entry.toolCalls.every(({ id }) => next.results.some((result) => result.id === id));
		if (answered) return [entry];
		return entry.text === "" ? [] : [{ kind: "assistant", text: entry.text, toolCalls: [] }];
	});
}
