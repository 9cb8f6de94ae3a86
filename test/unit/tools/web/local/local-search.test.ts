import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileRules } from "../../../../../src/contract/file-rules.ts";
import { createJudge } from "../../../../../src/judge/create-judge.ts";
import {
	chooseCacheDirectory,
	createLocalSearch,
} from "../../../../../src/tools/web/local/create-local-search.ts";
import { discoverDocuments } from "../../../../../src/tools/web/local/discover-documents.ts";
import { readIndexFile } from "../../../../../src/tools/web/local/index-file.ts";
import { createLocalIndex } from "../../../../../src/tools/web/local/local-index.ts";
import { splitSections } from "../../../../../src/tools/web/local/split-sections.ts";
import { tokenize } from "../../../../../src/tools/web/local/tokenize.ts";

let base: string;
let root: string;

beforeEach(async () => {
	base = await mkdtemp(join(tmpdir(), "deputize-local-"));
	root = join(base, "project");
	await put("package.json", JSON.stringify({ dependencies: { "left-pad": "1" } }));
	await put(
		"README.md",
		"# Project\n\nIt frobnicates widgets.\n\n## Install\n\nRun the installer of widgets.\n",
	);
	await put("docs/deep/guide.mdx", "# Guide\n\n## Retry policy\n\nSet maxRetryAttempts to three.\n");
	await put(
		"node_modules/left-pad/README.md",
		"# left-pad\n\n## Padding strings\n\nPads a string on the left.\n",
	);
	await put("node_modules/left-pad/LICENSE.md", "Licence text about padding strings.");
	await put("node_modules/left-pad/node_modules/inner/README.md", "# inner\n\nNot searched: padding.");
	await put("node_modules/@scope/tool/docs/usage.md", "# Usage\n\nTool usage for gizmos.\n");
	await put("src/code.ts", "export const frobnicate = 1;");
	await put("test/fixtures/readme.md", "# A fixture about frobnicating");
	await put(".git/notes.md", "# frobnicate");
});

afterEach(() => rm(base, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<void> {
	await mkdir(dirname(join(root, name)), { recursive: true });
	await writeFile(join(root, name), text);
}

const rules = () => ({ home: join(base, "home"), agentDirectory: join(base, "home/.pi/agent") });
const judge = () => createJudge({ ...rules(), cwd: root });

const open = () => {
	const search = createLocalSearch(join(base, "cache"), rules());
	return (query: string, count = 5) => search(query, { root, count, signal: new AbortController().signal });
};

describe("discoverDocuments", () => {
	it("finds documents of the project first, then of its packages, and nothing else", async () => {
		const { documents, isPartial } = await discoverDocuments(root, judge());
		expect(documents.map(({ path }) => path)).toEqual([
			"README.md",
			"docs/deep/guide.mdx",
			"node_modules/left-pad/README.md",
			"node_modules/@scope/tool/docs/usage.md",
		]);
		expect(isPartial).toBe(false);
	});

	it("does not leave the workspace through a link", async () => {
		await mkdir(join(base, "outside"));
		await writeFile(join(base, "outside", "README.md"), "# secret");
		await symlink(join(base, "outside"), join(root, "node_modules", "linked"));
		await symlink(join(base, "outside"), join(root, "docs", "linked"));
		await symlink(join(base, "outside", "README.md"), join(root, "docs", "linked.md"));
		const { documents } = await discoverDocuments(root, judge());
		expect(documents.some(({ path }) => path.includes("linked"))).toBe(false);
	});
});

describe("what the judge closes (B3)", () => {
	const search = (query: string, options: Partial<FileRules> & { readonly cwd?: string } = {}) => {
		const { cwd = root, ...closed } = options;
		const run = createLocalSearch(join(base, "cache"), { ...rules(), ...closed });
		return run(query, { root: cwd, count: 5, signal: new AbortController().signal });
	};

	it("is not found, nor shown by an index that was made under other rules", async () => {
		await put("private/plan.md", "# Plan\n\nMARKERUNREADABLE\n");
		expect((await search("MARKERUNREADABLE")).hits).toHaveLength(1);
		expect((await search("MARKERUNREADABLE", { unreadable: ["private"] })).hits).toEqual([]);
	});

	it("is not reached from the home directory, by name or through a link", async () => {
		const home = rules().home;
		for (const [name, word] of [
			["Library/notes.txt", "MARKERLIBRARY"],
			[".claude/memory/a.md", "MARKERCLAUDE"],
			["plain/readme.md", "MARKERPLAIN"],
		] as const) {
			await mkdir(dirname(join(home, name)), { recursive: true });
			await writeFile(join(home, name), `# Notes\n\n${word}\n`);
		}
		await mkdir(join(home, "node_modules"));
		await symlink("../.claude", join(home, "node_modules", "x"));
		expect((await search("MARKERLIBRARY", { cwd: home })).hits).toEqual([]);
		expect((await search("MARKERCLAUDE", { cwd: home })).hits).toEqual([]);
		expect((await search("MARKERPLAIN", { cwd: home })).hits).toHaveLength(1);
	});
});

describe("the local index", () => {
	it("finds a section by its words and points at its line", async () => {
		const { hits, files } = await open()("retry policy");
		expect(files).toBe(4);
		expect(hits[0]).toMatchObject({ title: "Guide › Retry policy (docs/deep/guide.mdx)", source: "local" });
		expect(hits[0]?.url).toMatch(/\/project\/docs\/deep\/guide\.mdx#L3$/);
		expect(hits[0]?.content).toBe("## Retry policy\n\nSet maxRetryAttempts to three.");
	});

	it("finds a name by its parts and by a slip of the pen", async () => {
		const search = open();
		expect((await search("retry attempts")).hits[0]?.title).toContain("guide.mdx");
		expect((await search("frobnicats")).hits[0]?.title).toContain("README.md");
	});

	it("finds an installed package by its name", async () => {
		expect((await open()("left-pad padding")).hits[0]?.title).toContain("left-pad");
	});

	it("answers with nothing when nothing fits", async () => {
		expect((await open()("zzzzqqqq")).hits).toEqual([]);
	});

	it("is kept on disk: a second process reads no document again", async () => {
		await open()("widgets");
		const [name] = await readdir(join(base, "cache"));
		const state = await readIndexFile(join(base, "cache", name ?? ""), root);
		expect(state?.files.map(([path]) => path)).toContain("README.md");
		const reopened = createLocalIndex(root, judge(), state);
		expect(await reopened.refresh()).toMatchObject({ changed: 0, files: 4 });
		expect((await reopened.search("retry policy", 5))[0]?.path).toBe("docs/deep/guide.mdx");
	});

	it("notices changed, new and deleted documents", async () => {
		const search = open();
		expect((await search("gizmos")).hits).toHaveLength(1);
		await put("docs/new.md", "# New\n\nAbout sprockets.");
		await put("README.md", "# Project\n\nIt now grommets.\n");
		await utimes(join(root, "README.md"), new Date(), new Date(Date.now() + 5000));
		await rm(join(root, "node_modules/@scope"), { recursive: true });
		expect((await search("sprockets")).hits[0]?.title).toContain("docs/new.md");
		expect((await search("grommets")).hits[0]?.title).toContain("README.md");
		expect((await search("frobnicates")).hits).toEqual([]);
		expect((await search("gizmos")).hits).toEqual([]);
	});

	it("is built anew when its file is damaged", async () => {
		await open()("widgets");
		const [name] = await readdir(join(base, "cache"));
		await writeFile(join(base, "cache", name ?? ""), "not an index");
		expect((await open()("retry policy")).hits).toHaveLength(1);
	});

	it("is given up when the call is aborted", async () => {
		const search = createLocalSearch(join(base, "cache"), rules());
		const work = search("widgets", { root, count: 5, signal: AbortSignal.abort() });
		await expect(work).rejects.toMatchObject({ code: "ABORTED" });
	});

	it("says when the directory does not exist", async () => {
		const search = createLocalSearch(join(base, "cache"), rules());
		const work = search("widgets", {
			root: join(base, "nowhere"),
			count: 5,
			signal: new AbortController().signal,
		});
		await expect(work).rejects.toMatchObject({ code: "WEB_SEARCH_FAILED" });
	});
});

describe("splitSections", () => {
	it("cuts at headings, keeps the trail and the lines, and leaves code alone", () => {
		const text = "intro\n# A\n\ntext\n## B\n\n```\n# not a heading\n```\n### C\n\ndeep\n# D\n\nend";
		expect(splitSections(text).map(({ heading, line }) => [heading, line])).toEqual([
			["", 1],
			["A", 2],
			["A › B", 5],
			["A › B › C", 10],
			["D", 13],
		]);
	});

	it("cuts what is too long even without headings, and loses nothing", () => {
		const text = Array.from({ length: 2000 }, (_, index) => `line number ${index}`).join("\n");
		const sections = splitSections(text);
		expect(sections.length).toBeGreaterThan(3);
		expect(sections.map((section) => section.text).join("\n")).toBe(text);
	});
});

describe("tokenize", () => {
	it("keeps names and adds their parts", () => {
		expect(tokenize("pi.registerTool(max_bytes, 5)")).toEqual([
			"pi",
			"registerTool",
			"register",
			"Tool",
			"max_bytes",
			"max",
			"bytes",
			"5",
		]);
	});
});

describe("chooseCacheDirectory", () => {
	it("follows XDG_CACHE_HOME when it is absolute", () => {
		expect(chooseCacheDirectory({ XDG_CACHE_HOME: "/c" }, "/h")).toBe("/c/deputize/local-search");
		expect(chooseCacheDirectory({ XDG_CACHE_HOME: "relative" }, "/h")).toBe(
			"/h/.cache/deputize/local-search",
		);
		expect(chooseCacheDirectory({}, "/h")).toBe("/h/.cache/deputize/local-search");
	});
});
