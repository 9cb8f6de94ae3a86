import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { locateEntryPoint } from "../../../src/entry-points.ts";

const child = { agent: "explorer", finalize: { mode: "text", max_corrections: 0 } };
const model = {
	provider: "openai-chat",
	model: "m",
	url: "http://127.0.0.1:9",
	api_key_name: "K",
	prompt: "x",
};
const navigator = { provider: "offline", model: "navigator", prompt: "x" };

it.each([
	["a language model", model],
	["a language model for a child", { ...model, child }],
	["the navigator for anybody but a child", navigator],
])("a process that several tasks share refuses %s", (_name, payload) => {
	const args = ["--disable-warning=ExperimentalWarning", locateEntryPoint("loop"), "--in-turn"];
	const { status, stderr } = spawnSync(process.execPath, args, {
		input: `${JSON.stringify(payload)}\n`,
		env: { PATH: process.env["PATH"], K: "key" },
		encoding: "utf8",
	});
	expect(JSON.parse(stderr)).toMatchObject({
		code: "invalid_payload",
		message: "Only the offline navigator answers several payloads in turn.",
	});
	expect(status).toBe(2);
});
