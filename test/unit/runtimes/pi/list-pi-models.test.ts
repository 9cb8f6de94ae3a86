import { describe, expect, it } from "vitest";
import { listPiModels, parseModelTable } from "../../../../src/runtimes/pi/list-pi-models.ts";

describe("parseModelTable", () => {
	it("reads what pi prints, ids with a blank included", () => {
		const table = [
			"provider  model             context  max-out  thinking  images",
			"scripted  model             128K     16.4K    no        no    ",
			"scripted  org/deep model-2  128K     16.4K    no        no    ",
			"",
		].join("\n");
		expect(parseModelTable(table)).toEqual(["scripted/model", "scripted/org/deep model-2"]);
	});

	it.each(["", "No models available. Use /login", "something  else\na  b"])("is silent about %j", (text) => {
		expect(parseModelTable(text)).toBeUndefined();
	});
});

describe("listPiModels", () => {
	it("does not ask a program that only poses as pi", async () => {
		const env = { PI_SUBAGENT_PI_BINARY: process.execPath, PATH: "" };
		expect(await listPiModels({ env, home: "/", agentDirectory: "/nowhere" })).toBeUndefined();
	});
});
