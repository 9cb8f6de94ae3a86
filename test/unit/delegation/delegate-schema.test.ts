import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { ChildPool } from "../../../src/children/child-pool.ts";
import { delegate } from "../../../src/delegation/delegate.ts";

const directory = mkdtempSync(join(tmpdir(), "deputize-schema-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("a schema that cannot be used is refused before a waiting child is taken: nobody would end it afterwards", async () => {
	writeFileSync(
		join(directory, "counter.md"),
		'---\nname: counter\ndescription: Counts\nmodel: scripted/model-1\noutput: {"$ref": "#/nowhere"}\n---\nCount.\n',
	);
	const pool = new ChildPool();
	const take = vi.spyOn(pool, "take");
	const result = await delegate(
		{ agent: "counter", task: "Count" },
		{
			cwd: directory,
			env: { HOME: directory, PATH: "/nonexistent" },
			agentsDirectories: [directory],
			host: { children: pool, listModels: () => ["scripted/model-1"] },
		},
	);
	expect(result.details.error?.message).toMatch(/^The output schema of .*counter\.md cannot be used/);
	expect(take).not.toHaveBeenCalled();
});
