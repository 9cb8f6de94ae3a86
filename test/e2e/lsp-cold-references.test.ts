import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterEach, describe, expect, it } from "vitest";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	hasSystemProgram,
	installServer,
	installTypescript,
	type LspWorkspace,
	needPeer,
} from "../helpers/lsp-workspace.ts";

/**
 * The first question to a server that was just started, on projects large enough that servers answer too early.
 * The expected number comes from the text of the files, never from a language server.
 */

let workspace: LspWorkspace;
let tool: LspTool | undefined;

afterEach(async () => {
	await tool?.close();
	tool = undefined;
	workspace.remove();
});

async function countFromCold(query: string): Promise<number> {
	// Nothing kept from an earlier run may help: the home directory is empty.
	tool = createTestTool({
		env: { PATH: process.env.PATH, HOME: join(workspace.directory, "node_modules/.home") },
	});
	const outcome = await callLsp(tool, workspace, { action: "references", query, limit: 200 });
	expect(outcome.text).toMatch(/^references of /);
	expect(outcome.details["complete"]).toBe(true);
	return Number(outcome.details["total"]);
}

function readSources(pattern: RegExp): string[] {
	return readdirSync(workspace.directory, { recursive: true, withFileTypes: true })
		.filter(
			(entry) => entry.isFile() && pattern.test(entry.name) && !entry.parentPath.includes("node_modules"),
		)
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

function countWords(texts: readonly string[], word: string, comment: RegExp): number {
	const lines = texts.flatMap((text) => text.split("\n")).filter((line) => !comment.test(line));
	return lines.join("\n").match(new RegExp(`\\b${word}\\b`, "g"))?.length ?? 0;
}

function countIdentifiers(texts: readonly string[], name: string): number {
	let count = 0;
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node) && node.text === name) count += 1;
		ts.forEachChild(node, visit);
	};
	for (const text of texts) visit(ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest));
	return count;
}

describe.each(["typescript-5", "typescript-7"] as const)(
	"453 files of a TypeScript package, with %s",
	(peer) => {
		it("have as many references as the parsed files have identifiers", async () => {
			workspace = createWorkspace();
			cpSync(needPeer("openai/src"), join(workspace.directory, "src"), { recursive: true });
			const compilerOptions = {
				target: "es2020",
				module: "esnext",
				moduleResolution: "bundler",
				strict: true,
				types: [],
			};
			workspace.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
			installTypescript(workspace, peer);
			if (peer === "typescript-5") installServer(workspace, "typescript-language-server");
			const expected = countIdentifiers(readSources(/\.ts$/), "APIResource");
			expect(expected).toBeGreaterThan(100);
			expect(await countFromCold("APIResource")).toBe(expected);
		});
	},
);

describe("217 files of a Python package, with pyright", () => {
	it("have as many references as the files have words", async () => {
		workspace = createWorkspace();
		const stubs = needPeer("pyright/dist/typeshed-fallback/stubs/braintree/braintree");
		cpSync(stubs, join(workspace.directory, "braintree"), { recursive: true });
		installServer(workspace, "pyright-langserver");
		const expected = countWords(readSources(/\.pyi$/), "ErrorResult", /^\s*#/);
		expect(expected).toBeGreaterThan(50);
		expect(await countFromCold("ErrorResult")).toBe(expected);
	});
});

describe.runIf(hasSystemProgram("clangd", "clangd"))("60 C files without a build, with clangd", () => {
	it("have as many references as the files have words", async () => {
		workspace = createWorkspace("c-project");
		for (let index = 0; index < 60; index += 1) {
			const calls = Array.from({ length: (index % 4) + 1 }, (_, step) => `\tring_push(ring, ${step});`).join(
				"\n",
			);
			workspace.write(
				`parts/part${index}.c`,
				`#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include "../ring.h"\n\nvoid part${index}(struct ring *ring) {\n${calls}\n}\n`,
			);
		}
		const expected = countWords(readSources(/\.[ch]$/), "ring_push", /^\s*\/[/*]/);
		expect(expected).toBe(156);
		expect(await countFromCold("ring_push")).toBe(expected);
		expect(readdirSync(workspace.directory)).not.toContain(".cache");
	});
});

const GIT_SCRIPTS = "/usr/lib/git-core";
const MAX_SCRIPT_BYTES = 200_000;

/** git keeps its shell library there on Debian; it is part of the git package. */
function hasGitScripts(): boolean {
	if (existsSync(join(GIT_SCRIPTS, "git-sh-setup"))) return true;
	if (process.env.CI === "true")
		throw new Error(`${GIT_SCRIPTS}/git-sh-setup is missing: apt-get install git`);
	return false;
}

describe.runIf(hasGitScripts())("the shell scripts of git, with bash-language-server", () => {
	it.each(["cd_to_toplevel", "require_work_tree"])(
		"have as many references to %s as the files have words",
		async (name) => {
			workspace = createWorkspace();
			for (const file of readdirSync(GIT_SCRIPTS)) {
				const path = join(GIT_SCRIPTS, file);
				const found = statSync(path);
				if (!found.isFile() || found.size > MAX_SCRIPT_BYTES) continue;
				const text = readFileSync(path, "utf8");
				if (text.startsWith("#!/bin/sh") || file.startsWith("git-sh-")) workspace.write(`${file}.sh`, text);
			}
			installServer(workspace, "bash-language-server");
			const expected = countWords(readSources(/\.sh$/), name, /^\s*#/);
			expect(expected).toBeGreaterThan(3);
			expect(await countFromCold(name)).toBe(expected);
		},
	);
});
