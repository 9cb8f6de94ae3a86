import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { SUBAGENT_ERROR_CODES } from "../../src/contract/error-codes.ts";
import { findCommand } from "../../src/hosts/cli/command-table.ts";

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "agents/*.md"], {
	cwd: root,
	exclude: ["**/node_modules"],
}).sort();
const read = (page: string): string => readFileSync(join(root, page), "utf8");

describe("the documents", () => {
	it.each(pages)("%s links only to files that exist", (page) => {
		const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
			(match) => match[1] ?? "",
		);
		const broken = links.filter((link) => !existsSync(join(root, dirname(page), link)));
		expect(broken).toEqual([]);
	});

	it("name every source file they mention", () => {
		const missing = pages.flatMap((page) =>
			[...read(page).matchAll(/`(src\/[\w./-]+\.ts)`/g)]
				.map((match) => match[1] ?? "")
				.filter((file) => !existsSync(join(root, file)))
				.map((file) => `${page}: ${file}`),
		);
		expect(missing).toEqual([]);
	});

	it("keep the map under 120 lines", () => {
		expect(read("AGENTS.md").split("\n").length).toBeLessThan(120);
	});

	it("have every room of the house on the map, and no file or folder that is not there", () => {
		const map = read("AGENTS.md");
		const rooms = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) =>
			entry.isDirectory(),
		);
		expect(rooms.filter(({ name }) => !new RegExp(`\`${name}[/\`]`).test(map))).toEqual([]);
		const names = new Set(
			["src", "packages"].flatMap((folder) =>
				readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => basename(path)),
			),
		);
		const mentioned = [...map.matchAll(/`([\w./-]+)`/g)].map((match) => match[1] ?? "");
		const folders = mentioned.filter((name) => /^(?:src|packages|docs|test|scripts)\/[\w./-]+$/.test(name));
		expect(folders.filter((path) => !existsSync(join(root, path)))).toEqual([]);
		const files = mentioned.filter((name) => /^[\w-]+\.ts$/.test(name));
		expect(files.length).toBeGreaterThan(10);
		expect(files.filter((name) => !names.has(name))).toEqual([]);
	});

	it("explain every error code", () => {
		for (const code of Object.keys(SUBAGENT_ERROR_CODES))
			expect(read("docs/reference/errors.md")).toContain(`\`${code}\``);
	});

	it("explain every configuration key, as its row has it", async () => {
		const { renderPage } = (await import("../../scripts/generate-configuration-page.mjs" as string)) as {
			renderPage(): string;
		};
		expect(renderPage()).toBe(read("docs/reference/configuration.md"));
		expect(read("docs/reference/configuration.md")).toContain("`subagents.timeoutMs` | `900000`");
	});

	it("are named in the README as far as they are references", () => {
		const references = pages
			.filter((page) => page.startsWith("docs/reference/"))
			.map((page) => relative(".", page));
		for (const page of references) expect(read("README.md")).toContain(page);
	});

	it("explain every function and value that the library exports", async () => {
		const page = read("docs/reference/library.md");
		for (const name of Object.keys(await import("../../src/index.ts"))) expect(page).toContain(name);
	});

	it("show commands that the help knows", () => {
		const shown = read("README.md").matchAll(/^ {4}(?:[^\n]*\| )?(?:npx )?deputize ([a-z]+)\b/gm);
		const commands = [...shown].map((match) => match[1] ?? "");
		expect(commands.length).toBeGreaterThan(1);
		for (const command of commands) expect(findCommand(command)?.name).toBe(command);
	});

	it("contain no path of a machine", () => {
		for (const page of pages) expect(read(page)).not.toMatch(/\/(work|root|home\/[a-z]+)\//);
	});
});
