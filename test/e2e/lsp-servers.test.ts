import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	hasSystemProgram,
	installServer,
	type LspWorkspace,
	placesOf,
} from "../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let cache: LspWorkspace;
let tool: LspTool;
const ask = (input: object) => callLsp(tool, workspace, input);

function start(fixture: string, programs: readonly string[] = []): void {
	workspace = createWorkspace(fixture);
	cache = createWorkspace();
	for (const program of programs) installServer(workspace, program);
	tool = createTestTool({ env: { PATH: process.env.PATH, HOME: cache.directory } });
}
async function stop(): Promise<void> {
	await tool.close();
	workspace.remove();
	cache.remove();
}

describe("pyright", () => {
	beforeAll(() => start("python-project", ["pyright-langserver"]));
	afterAll(stop);

	const SUM = [
		"shop/broken.py:1:24",
		"shop/broken.py:3:14",
		"shop/cart.py:1:31",
		"shop/cart.py:5:31",
		"shop/price.py:15:5",
	];

	it("finds all references from cold, with characters outside ASCII before them", async () => {
		const outcome = await ask({ action: "references", query: "sum_prices" });
		expect(placesOf(outcome)).toEqual(SUM);
		expect(placesOf(await ask({ action: "references", file: "shop/cart.py", line: 5, column: 32 }))).toEqual(
			SUM,
		);
	});

	it("goes to definitions, of methods too", async () => {
		expect(placesOf(await ask({ action: "definition", file: "shop/cart.py", query: "with_tax" }))).toEqual([
			"shop/price.py:10:9",
		]);
		expect(placesOf(await ask({ action: "definition", query: "Preis.with_tax" }))).toEqual([
			"shop/price.py:10:9",
		]);
	});

	it("shows types, documentation and signatures", async () => {
		const hover = await ask({ action: "hover", query: "sum_prices" });
		expect(hover.text).toContain("(function) def sum_prices(prices: list[Preis]) -> Preis");
		expect(hover.text).toContain("Adds prices up.");
		const signature = await ask({ action: "signature", file: "shop/cart.py", query: "sum_prices" });
		expect(signature.text).toContain("(prices: list[Preis]) -> Preis");
	});

	it("lists symbols of a file and of the workspace", async () => {
		expect(placesOf(await ask({ action: "symbols", file: "shop/price.py", query: "with" }))).toEqual([
			"shop/price.py:10:9",
		]);
		expect(placesOf(await ask({ action: "symbols", query: "checkout" }))).toEqual(["shop/cart.py:4:5"]);
	});

	it("reports problems by being asked, and calls clean what is clean", async () => {
		const broken = await ask({ action: "diagnostics", file: "shop/broken.py" });
		expect(broken.text).toMatch(
			/^diagnostics: 1 error in 1 checked file: shop\/broken\.py\nshop\/broken\.py \(1\)\n {2}3:14 {2}error \[Pyright reportAssignmentType\] Type "Preis" is not assignable to declared type "int"/,
		);
		expect((await ask({ action: "diagnostics", file: "shop/cart.py" })).text).toMatch(
			/^diagnostics: no problems in 1/,
		);
		const all = await ask({ action: "workspace-diagnostics" });
		expect(all.text).toMatch(/^workspace-diagnostics: 1 error in 4 checked files/);
	});

	it("renames over files", async () => {
		const outcome = await ask({ action: "rename", query: "sum_prices", newName: "add_prices" });
		expect(outcome.text).toMatch(/^rename of sum_prices to add_prices: 5 changes in 3 files \(not applied\)/);
	});

	it("sees changes on disk of files it has not opened", async () => {
		workspace.write(
			"shop/price.py",
			"def sum_prices(prices: list[int]) -> int:\n    return sum(prices)\n\n\nclass Preis:\n    pass\n",
		);
		expect((await ask({ action: "diagnostics", file: "shop/broken.py" })).text).toMatch(/no problems/);
		workspace.write("shop/late.py", "from shop.price import sum_prices\n");
		expect(placesOf(await ask({ action: "references", query: "sum_prices" }))).toContain("shop/late.py:1:24");
	});

	it("has written nothing into the project", () => {
		expect(readdirSync(workspace.directory).sort()).toEqual(["node_modules", "pyproject.toml", "shop"]);
	});
});

describe.runIf(hasSystemProgram("clangd", "clangd"))("clangd", () => {
	beforeAll(() => start("c-project"));
	afterAll(stop);

	const PUSH = ["broken.c:4:9", "drain.c:12:2", "fill.c:6:8", "fill.c:8:9", "ring.c:8:5", "ring.h:16:5"];

	it("finds all references from cold, in files it never opened and without a build", async () => {
		const outcome = await ask({ action: "references", query: "ring_push" });
		expect(placesOf(outcome)).toEqual(PUSH);
		expect(outcome.details["complete"]).toBe(true);
	});

	it("goes from a use to the definition, and by name to definition and declaration", async () => {
		expect(placesOf(await ask({ action: "definition", file: "drain.c", line: 12, column: 4 }))).toEqual([
			"ring.c:8:5",
		]);
		expect(placesOf(await ask({ action: "definition", query: "ring_take" })).sort()).toEqual([
			"ring.c:15:5",
			"ring.h:17:5",
		]);
	});

	it("shows types and signatures", async () => {
		const hover = await ask({ action: "hover", file: "drain.c", query: "ring_push" });
		expect(hover.text).toContain("int ring_push(struct ring *ring, int value)");
		const signature = await ask({ action: "signature", file: "fill.c", query: "ring_push" });
		expect(signature.text).toContain("ring_push(struct ring *ring, int value) -> int");
	});

	it("lists symbols of a file and of the workspace", async () => {
		expect(placesOf(await ask({ action: "symbols", file: "drain.c" }))).toEqual([
			"drain.c:3:5",
			"drain.c:10:5",
		]);
		expect(placesOf(await ask({ action: "symbols", query: "drain_and" }))).toEqual(["drain.c:10:5"]);
	});

	it("reports problems, before and after the header they come from changes", async () => {
		const broken = await ask({ action: "diagnostics", file: "broken.c" });
		expect(broken.text).toMatch(
			/^diagnostics: 1 error in 1 checked file: broken\.c\n[^\n]*\n {2}4:\d+ {2}error/,
		);
		expect((await ask({ action: "diagnostics", file: "fill.c" })).text).toMatch(/no problems/);
		workspace.write(
			"ring.h",
			"struct ring { int x; };\nint ring_push(struct ring *ring);\nvoid ring_clear(struct ring *ring);\n",
		);
		expect((await ask({ action: "diagnostics", file: "broken.c" })).text).toMatch(/no problems/);
		expect((await ask({ action: "diagnostics", file: "fill.c", severity: "error" })).text).toMatch(
			/^diagnostics: 2 errors/,
		);
	});

	it("has written nothing into the project: its index is elsewhere", () => {
		expect(readdirSync(workspace.directory).sort()).toEqual([
			"broken.c",
			"drain.c",
			"fill.c",
			"ring.c",
			"ring.h",
		]);
		expect(readdirSync(cache.directory)).toEqual([".cache"]);
	});
});

describe("bash-language-server and yaml-language-server", () => {
	beforeAll(() => start("bash-project", ["bash-language-server", "yaml-language-server"]));
	afterAll(stop);

	const HELLO = ["first", "second"].flatMap((name) => [`${name}.sh:4:1`, `${name}.sh:5:1`]);

	it("finds all references from cold", async () => {
		const outcome = await ask({ action: "references", query: "say_hello" });
		expect(placesOf(outcome)).toEqual([
			...HELLO.slice(0, 2),
			"library.sh:4:1",
			...HELLO.slice(2),
			"third.sh:4:1",
			"third.sh:5:1",
		]);
	});

	it("goes to the definition in the sourced file", async () => {
		expect(placesOf(await ask({ action: "definition", file: "third.sh", query: "say_bye" }))).toEqual([
			"library.sh:9:1",
		]);
		expect(placesOf(await ask({ action: "definition", query: "say_bye" }))).toEqual(["library.sh:9:1"]);
	});

	it("lists symbols", async () => {
		expect(placesOf(await ask({ action: "symbols", query: "say_" }))).toEqual([
			"library.sh:4:1",
			"library.sh:9:1",
		]);
	});

	it.runIf(hasSystemProgram("shellcheck", "shellcheck"))("reports what shellcheck finds", async () => {
		const broken = await ask({ action: "diagnostics", file: "broken.sh" });
		expect(broken.text).toMatch(
			/1 info in 1 checked file: broken\.sh\n[^\n]*\n {2}3:6 {2}info \[shellcheck SC2086\]/,
		);
		workspace.write("broken.sh", '#!/usr/bin/env bash\nname="a b"\necho "$name"\n');
		expect((await ask({ action: "diagnostics", file: "broken.sh" })).text).toMatch(/no problems/);
	});

	it("checks YAML and says what its server cannot do", async () => {
		expect((await ask({ action: "diagnostics", file: "broken.yaml" })).text).toMatch(
			/^diagnostics: 1 error.*\n.*\n {2}\d+:\d+ {2}error \[YAML/,
		);
		expect((await ask({ action: "diagnostics", file: "settings.yaml" })).text).toMatch(/no problems/);
		expect(placesOf(await ask({ action: "symbols", file: "settings.yaml", query: "key" }))).toEqual([
			"settings.yaml:6:3",
		]);
		const references = await ask({ action: "references", file: "settings.yaml", line: 1, column: 1 });
		expect(references.text).toMatch(/does not offer references|knows no references/);
	});

	it("has written nothing into the project", () => {
		expect(readdirSync(workspace.directory)).not.toContain(".cache");
		expect(readdirSync(workspace.directory)).toHaveLength(8);
	});
});
