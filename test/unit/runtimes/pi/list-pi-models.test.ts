import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listPiModels, parseModelTable } from "../../../../src/runtimes/pi/list-pi-models.ts";
import { createTestHome } from "../../../helpers/test-home.ts";

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

	it("asks once, and again when a file changed that pi reads its models from", async () => {
		const home = createTestHome();
		try {
			const bundle = join(home.home, "pi", "dist", "bundle");
			mkdirSync(bundle, { recursive: true });
			writeFileSync(join(home.home, "pi/package.json"), '{"version":"0.87.1","type":"module"}');
			// Each start is another answer.
			writeFileSync(
				join(bundle, "cli.js"),
				'console.log("provider  model\\nscripted  started-at-" + process.hrtime.bigint());',
			);
			const list = () => listPiModels({ ...home, runningPackage: join(home.home, "pi") });
			const first = await list();
			expect(first).toEqual([expect.stringMatching(/^scripted\/started-at-\d+$/)]);
			expect(await list()).toEqual(first);
			let last = first;
			for (const name of ["models.json", "auth.json", "settings.json"]) {
				home.write(join(home.agentDirectory, name), "{}");
				const now = await list();
				expect(now).not.toEqual(last);
				expect(await list()).toEqual(now);
				last = now;
			}
		} finally {
			home.remove();
		}
	});
});
