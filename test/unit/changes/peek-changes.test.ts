import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listTouched } from "../../../src/changes/list-touched.ts";
import { type OpenedLayer, openLayer } from "../../../src/changes/open-layer.ts";
import { peekChanges } from "../../../src/changes/peek-changes.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const probe = await probeSandbox({ env: process.env });
const canLayer = probe.works && probe.sandbox.layers.how !== "none";

let home: TestHome;
let layer: OpenedLayer | undefined;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => {
	layer?.lock.release();
	home.remove();
});

it.skipIf(!canLayer)("counts lines of what was written so far, without what Git ignores", async () => {
	const { project, agentDirectory } = home;
	const write = (top: string, path: string, text: string): void => {
		mkdirSync(join(top, path, ".."), { recursive: true });
		writeFileSync(join(top, path), text);
	};
	execFileSync("git", ["init", "-q"], { cwd: project });
	write(project, ".gitignore", "dist/\n");
	write(project, "src/a.ts", "one\ntwo\nthree\n");
	write(project, "same.txt", "same\n");
	const origin = { agent: "fixer", task: "x", runId: "12345678" };
	layer = await openLayer({ env: process.env, agentDirectory, directory: project, origin });
	const upper = join(layer.state, "upper");
	const peek = async () => peekChanges(layer as OpenedLayer, await listTouched(upper));
	expect(await peek()).toEqual([]);
	write(upper, "src/a.ts", "one\n2\nthree\nfour\n");
	write(upper, "new name.txt", "a\nb\n");
	write(upper, "same.txt", "same\n");
	write(upper, "dist/built.js", "x\n");
	write(upper, ".git/index", "x\n");
	write(upper, ":(top)x", "x\n");
	write(upper, "picture", "\0\0");
	expect(await peek()).toEqual([
		{ path: ":(top)x", status: "added", added: 1, removed: 0, isApplied: false },
		{ path: "new name.txt", status: "added", added: 2, removed: 0, isApplied: false },
		{ path: "picture", status: "added", isApplied: false },
		{ path: "src/a.ts", status: "modified", added: 2, removed: 1, isApplied: false },
	]);
	rmSync(join(upper, "src"), { recursive: true });
	for (let index = 0; index < 201; index += 1) write(upper, `many/${index}`, "");
	expect(await peek(), "too many to look at").toBeUndefined();
});
