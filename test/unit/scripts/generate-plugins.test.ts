import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const { renderPlugins } = (await import("../../../scripts/generate-plugins.mjs" as string)) as {
	renderPlugins(): readonly { readonly path: string; readonly text: string }[];
};

it.each(renderPlugins())("$path is what npm run generate:plugins writes", ({ path, text }) => {
	expect(readFileSync(join(root, path), "utf8")).toBe(text);
});

it("the registry's description is short enough for the registry", () => {
	const server = renderPlugins().find(({ path }) => path === "server.json");
	expect((JSON.parse(server?.text ?? "") as { description: string }).description.length).toBeLessThanOrEqual(
		100,
	);
});
