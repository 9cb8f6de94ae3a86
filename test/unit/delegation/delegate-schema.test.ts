import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { delegate } from "../../../src/delegation/delegate.ts";

const directory = mkdtempSync(join(tmpdir(), "deputize-schema-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("a schema that cannot be used is refused before a waiting child is claimed: nobody would end it afterwards", async () => {
	writeFileSync(
		join(directory, "counter.md"),
		'---\nname: counter\ndescription: Counts\nmodel: scripted/model-1\noutput: {"$ref": "#/nowhere"}\n---\nCount.\n',
	);
	let claims = 0;
	const prestarted = {
		claim: () => {
			claims += 1;
			return undefined;
		},
		discard: async () => undefined,
	};
	const result = await delegate(
		{ agent: "counter", task: "Count" },
		{
			cwd: directory,
			env: { HOME: directory, PATH: "/nonexistent" },
			agentsDirectories: [directory],
			host: { prestarted, listModels: () => ["scripted/model-1"] },
		},
	);
	expect(result.details.error?.message).toMatch(/^The output schema of .*counter\.md cannot be used/);
	expect(claims).toBe(0);
});
