import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeScriptedGguf } from "./write-scripted-gguf.ts";

const PEER = join(import.meta.dirname, "../peers/llama-cpp");

export const hasLlamaCpp = existsSync(join(PEER, "node_modules/@wllama/wllama-compat"));
if (!hasLlamaCpp && process.env["CI"])
	throw new Error("llama.cpp is missing: run npm ci in test/peers/llama-cpp.");

export const ANSWER = "A real server answered.";

export interface LlamaCpp {
	readonly baseUrl: string;
	close(): Promise<void>;
}

/** llama.cpp with a model that looks into the directory first and then hands over. */
export async function startLlamaCpp(): Promise<LlamaCpp> {
	const directory = mkdtempSync(join(tmpdir(), "deputize-llama-cpp-"));
	const file = join(directory, "tiny.gguf");
	const handover = { name: "subagent_finalize", arguments: { status: "SUCCESS", result: ANSWER } };
	const [start = "", end = ""] = JSON.stringify(handover).split(/(?="result")/);
	writeScriptedGguf(file, {
		first: ["<tool_call>", '\n{"name": "ls", "arguments": ', "{}}", "\n</tool_call>"],
		afterTool: ["<tool_call>", `\n${start}`, end, "\n</tool_call>"],
	});
	const server = spawn(process.execPath, [join(PEER, "serve.mjs"), file], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [port] = await Promise.race([
		once(server.stdout, "data"),
		once(server, "close").then(() => {
			throw new Error("llama.cpp ended before it was ready");
		}),
	]);
	return {
		baseUrl: `http://127.0.0.1:${String(port).trim()}/v1`,
		async close() {
			const closed = once(server, "close");
			server.stdin.end();
			await closed;
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
