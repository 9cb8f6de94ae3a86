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

// The rules of its schema of 2025-12-11, as far as they concern what is in the file.
it("server.json keeps to the rules of the registry, and names what package.json names", () => {
	const server = JSON.parse(readFileSync(join(root, "server.json"), "utf8"));
	const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
	expect([server.name, server.version]).toEqual([manifest.mcpName, manifest.version]);
	for (const text of [server.title, server.description]) expect(text).toMatch(/^.{1,100}$/);
	expect(server.packages).toEqual([
		{
			registryType: "npm",
			identifier: manifest.name,
			version: manifest.version,
			transport: { type: "stdio" },
			packageArguments: [{ type: "positional", value: "mcp" }],
		},
	]);
});
