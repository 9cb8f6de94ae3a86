import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the fault table of docs/reliability.md is made from the tests as they are now, and covers all 46 faults", async () => {
	const { renderPage } = (await import("../../scripts/generate-reliability-table.mjs" as string)) as {
		renderPage(): string;
	};
	const page = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8");
	expect(page).toBe(renderPage());
	expect(page).toContain("46 of 46 faults have a test.");
});
