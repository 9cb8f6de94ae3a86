import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../../../src/contract/config.ts";
import { describeServers } from "../../../../../src/tools/lsp/servers/describe-servers.ts";
import { findServer } from "../../../../../src/tools/lsp/servers/find-server.ts";
import {
	listServerDefinitions,
	selectRoot,
	selectServerById,
} from "../../../../../src/tools/lsp/servers/select-server.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let project: LspWorkspace;
let outside: LspWorkspace;

beforeEach(() => {
	project = createWorkspace();
	outside = createWorkspace();
});
afterEach(() => {
	project.remove();
	outside.remove();
});

function program(workspace: LspWorkspace, file: string, text = "#!/bin/sh\n"): string {
	const path = workspace.write(file, text);
	chmodSync(path, 0o755);
	return path;
}

function find(id: string, trusted: boolean, path = outside.directory) {
	const definition = selectServerById(listServerDefinitions(DEFAULT_CONFIG.lsp), id);
	const { directory } = project;
	return findServer(definition, { env: { PATH: path }, workspace: directory, root: directory, trusted });
}

describe("findServer", () => {
	it("prefers the project's own program, and takes the one on PATH when the project is not trusted", () => {
		const own = program(project, "node_modules/.bin/bash-language-server");
		const global = program(outside, "bash-language-server");
		expect(find("bash", true)).toMatchObject({
			kind: "found",
			launch: { program: own, source: "workspace" },
		});
		expect(find("bash", false)).toMatchObject({ kind: "found", launch: { program: global, source: "path" } });
	});

	it("does not start a program of an untrusted project and says that it is there", () => {
		program(project, "node_modules/.bin/bash-language-server");
		const search = find("bash", false);
		expect(search).toMatchObject({ kind: "missing" });
		expect(JSON.stringify(search)).toMatch(/only inside the project.*not trusted.*npm install/);
	});

	it("is not led into an untrusted project by PATH or by a link", () => {
		program(project, "tools/bash-language-server");
		expect(find("bash", false, join(project.directory, "tools")).kind).toBe("missing");
		symlinkSync(
			join(project.directory, "tools/bash-language-server"),
			join(outside.directory, "bash-language-server"),
		);
		expect(find("bash", false).kind).toBe("missing");
		expect(find("bash", true).kind).toBe("found");
	});

	it("finds a program in a virtual environment of a trusted project, and its interpreter", () => {
		program(project, ".venv/bin/pylsp");
		const python = program(project, ".venv/bin/python");
		expect(find("pyright", true)).toMatchObject({
			launch: { source: "venv", settings: { python: { pythonPath: python } } },
		});
		expect(find("pyright", false).kind).toBe("missing");
	});

	it("does not start a server that runs the project's code when the project is not trusted", () => {
		program(outside, "jdtls");
		expect(find("java", true).kind).toBe("found");
		expect(JSON.stringify(find("java", false))).toMatch(/runs code of the project/);
	});

	it("does not take rustup's stand-in for the real program", () => {
		program(outside, "rustup");
		symlinkSync(join(outside.directory, "rustup"), join(outside.directory, "rust-analyzer"));
		expect(find("rust-analyzer", true).kind).toBe("missing");
	});

	it("runs Node scripts with the Node that runs us", () => {
		const script = program(outside, "yaml-language-server", "#!/usr/bin/env node\n");
		expect(find("yaml", true)).toMatchObject({
			launch: { command: process.execPath, args: [script, "--stdio"], program: script },
		});
	});

	it("says what to install when nothing is there, also where trust would be missing too", () => {
		for (const trusted of [true, false])
			expect(find("gopls", trusted)).toEqual({
				kind: "missing",
				reason: "gopls is not installed. Install it with: go install golang.org/x/tools/gopls@latest",
			});
	});
});

describe("TypeScript", () => {
	function installTypescript(workspace: LspWorkspace, version: string): void {
		workspace.write("node_modules/typescript/package.json", JSON.stringify({ name: "typescript", version }));
		program(workspace, "node_modules/typescript/bin/tsc", "#!/usr/bin/env node\n");
	}

	it("uses the project's compiler as the server from version 7 on", () => {
		installTypescript(project, "7.0.2");
		program(project, "node_modules/.bin/typescript-language-server");
		expect(find("typescript", true)).toMatchObject({
			launch: {
				source: "workspace",
				args: [expect.stringMatching(/typescript\/bin\/tsc$/), "--lsp", "--stdio"],
			},
		});
	});

	it("uses typescript-language-server with older compilers", () => {
		installTypescript(project, "5.9.3");
		const server = program(project, "node_modules/.bin/typescript-language-server");
		expect(find("typescript", true)).toMatchObject({ launch: { program: server, args: ["--stdio"] } });
	});

	it("does not let an untrusted project choose the compiler that runs", () => {
		installTypescript(project, "5.9.3");
		program(outside, "typescript-language-server");
		expect(JSON.stringify(find("typescript", false))).toMatch(/would run the TypeScript inside this project/);
		outside.write("node_modules/typescript/lib/tsserver.js", "");
		expect(find("typescript", false)).toMatchObject({
			launch: {
				initializationOptions: {
					tsserver: { path: join(outside.directory, "node_modules/typescript/lib/tsserver.js") },
				},
			},
		});
	});
});

describe("configuration", () => {
	const servers = {
		bash: false,
		zig: { command: ["zls", "--x"], languages: ["zig"], extensions: ["zig"], rootMarkers: ["build.zig"] },
	} as const;

	it("adds servers, switches them off, and puts the user's first", () => {
		const definitions = listServerDefinitions({ ...DEFAULT_CONFIG.lsp, servers });
		expect(definitions[0]).toMatchObject({ id: "zig", languages: { ".zig": "zig" }, source: "config" });
		expect(definitions.map(({ id }) => id)).not.toContain("bash");
	});

	it("describes what is installed and what is missing without starting anything", () => {
		program(outside, "zls");
		const described = describeServers(
			{ ...DEFAULT_CONFIG.lsp, servers },
			{ env: { PATH: outside.directory }, workspace: project.directory, trusted: true },
		);
		expect(described[0]).toMatchObject({ id: "zig", installed: true, source: "config", languages: [".zig"] });
		expect(described.find(({ id }) => id === "clangd")).toMatchObject({
			installed: false,
			installHint: expect.stringContaining("apt-get install clangd"),
		});
	});
});

describe("selectRoot", () => {
	it("takes the outermost or the nearest marker, never above the workspace", () => {
		writeFileSync(join(project.directory, "package.json"), "{}");
		mkdirSync(join(project.directory, "packages/a/src"), { recursive: true });
		const file = project.write("packages/a/src/x.ts", "");
		project.write("packages/a/package.json", "{}");
		const definitions = listServerDefinitions(DEFAULT_CONFIG.lsp);
		const inner = join(project.directory, "packages/a");
		expect(selectRoot(selectServerById(definitions, "typescript"), project.directory, file)).toBe(
			project.directory,
		);
		expect(selectRoot(selectServerById(definitions, "vue"), project.directory, file)).toBe(inner);
		expect(selectRoot(selectServerById(definitions, "typescript"), inner, file)).toBe(inner);
	});

	it("gives loose files one root", () => {
		const file = project.write("a/b/c.lua", "");
		const lua = selectServerById(listServerDefinitions(DEFAULT_CONFIG.lsp), "lua");
		expect(selectRoot(lua, project.directory, file)).toBe(project.directory);
	});
});
