import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { collectChanges } from "../../../src/changes/collect-changes.ts";
import { findOverlaps } from "../../../src/changes/find-overlaps.ts";
import { listTouched } from "../../../src/changes/list-touched.ts";
import { type OpenedLayer, openLayer } from "../../../src/changes/open-layer.ts";
import { peekChanges } from "../../../src/changes/peek-changes.ts";
import { listChangesHere } from "../../../src/commands/list-changes-here.ts";
import { readSurroundings } from "../../../src/config/read-surroundings.ts";
import { reportLeftChanges } from "../../../src/hosts/pi/parent/report-left-changes.ts";
import { probeSandbox } from "../../../src/sandbox/probe-sandbox.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

const probe = await probeSandbox({ env: process.env });
const canLayer = probe.works && probe.sandbox.layers.how !== "none";

let home: TestHome;
let layer: OpenedLayer | undefined;
beforeEach(() => {
	home = createTestHome();
});
const origin = { agent: "fixer", task: "Make it wait", runId: "12345678" };
const write = (top: string, path: string, text: string): void => {
	mkdirSync(join(top, path, ".."), { recursive: true });
	writeFileSync(join(top, path), text);
};
afterEach(() => {
	layer?.lock.release();
	home.remove();
});

it.skipIf(!canLayer)("counts lines of what was written so far, without what Git ignores", async () => {
	const { project, agentDirectory } = home;
	execFileSync("git", ["init", "-q"], { cwd: project });
	write(project, ".gitignore", "dist/\n");
	write(project, "src/a.ts", "one\ntwo\nthree\n");
	write(project, "same.txt", "same\n");
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

it.skipIf(!canLayer)("two that changed the same file are told of each other, at work or not", async () => {
	const { project, agentDirectory } = home;
	write(project, "shared.txt", "one\n");
	const place = { env: process.env, agentDirectory, directory: project };
	const first = await openLayer({ ...place, origin });
	layer = await openLayer({ ...place, origin: { ...origin, agent: "other" } });
	for (const name of ["shared.txt", "first.txt"]) write(join(first.state, "upper"), name, "first\n");
	for (const name of ["shared.txt", "second.txt"]) write(join(layer.state, "upper"), name, "second\n");
	const { id } = (await collectChanges(first)) ?? { id: "" };
	expect(await findOverlaps(place, id)).toEqual([
		{ id: layer.id, agent: "other", state: "open", files: ["shared.txt"] },
	]);
	await collectChanges(layer);
	expect(await findOverlaps(place, layer.id)).toEqual([
		{ id, agent: "fixer", state: "pending", files: ["shared.txt"] },
	]);
});

it.skipIf(!canLayer)("what a killed agent had changed is told once, at the next start there", async () => {
	const surroundings = { ...readSurroundings(process.env), agentDirectory: home.agentDirectory };
	const { project: cwd } = home;
	const left = await openLayer({ ...surroundings, directory: cwd, origin });
	write(join(left.state, "upper"), "left.txt", "so far\n");
	const told: string[] = [];
	const pi = { sendMessage: ({ content }: { content: unknown }) => void told.push(String(content)) };
	await reportLeftChanges(pi, { cwd }, surroundings);
	expect(told, "its agent is at work").toEqual([]);
	left.lock.release();
	const elsewhere = { cwd: home.home, surroundings };
	await reportLeftChanges(pi, elsewhere, surroundings);
	expect((await listChangesHere(elsewhere)).changes).toEqual([]);
	expect(told, "it is of another project").toEqual([]);
	await reportLeftChanges(pi, { cwd }, surroundings);
	await reportLeftChanges(pi, { cwd }, surroundings);
	expect(told).toEqual([
		expect.stringContaining("The agent fixer was at work when its process ended, on: Make it wait"),
	]);
	expect(told[0]).toContain("1 file +1 −0 (A left.txt +1 −0)");
	expect(told[0]).toContain(`/toolkit changes ${left.id}`);
});
