import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BATCH_HELP } from "../../src/hosts/cli/parse-batch-arguments.ts";
import { WORKER_HELP } from "../../src/hosts/cli/worker-command.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/batch.md"), "utf8");
const service = page.slice(page.indexOf("### As a service"), page.indexOf("### Looking at it"));
const blocks = [...service.matchAll(/```(ini|dockerfile|yaml)\n(.*?)```/gs)].map(([, kind, text]) => ({
	kind,
	text: text ?? "",
}));

it("the page has a unit, an image, and what Kubernetes needs", () => {
	expect(blocks.map(({ kind }) => kind)).toEqual(["ini", "dockerfile", "yaml"]);
	for (const { text } of blocks) expect(text).not.toContain("\t");
});

it("they start deputize with options that it has", () => {
	const known = new Set(Object.keys({ ...BATCH_HELP.options, ...WORKER_HELP.options }));
	const used = blocks.flatMap(({ text }) =>
		text
			.split("\n")
			// Options of other programs are on lines of their own.
			.filter((line) => /deputize worker|CMD|^ +- --/.test(line))
			.flatMap((line) => [...line.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = ""]) => name)),
	);
	expect(used.length).toBeGreaterThan(8);
	expect(used.filter((name) => !known.has(name))).toEqual([]);
});
