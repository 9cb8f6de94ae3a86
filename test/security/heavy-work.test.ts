import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { heavyWork } from "../../src/process/heavy-work.ts";
import { convertDocument } from "../../src/tools/convert/convert-document.ts";
import { createPageConverter } from "../../src/tools/web/pages/create-page-converter.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

function convert(nodePath: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) {
	return convertDocument(
		Buffer.from("x"),
		{},
		{
			timeoutMs: 20_000,
			maxInputBytes: 1000,
			maxMemoryMb: 256,
			workingDirectory: home.project,
			nodePath,
			...more,
		},
	);
}

/** Stands in for the converter: notes when it begins and ends. */
function writeConverter(seconds: number): { node: string; log: string } {
	const log = join(home.project, "log");
	const node = home.write("node", `#!/bin/sh\necho begin >> ${log}\nsleep ${seconds}\necho end >> ${log}\n`);
	chmodSync(node, 0o755);
	return { node, log };
}

function mostAtOnce(log: string): number {
	let now = 0;
	let most = 0;
	for (const line of readFileSync(log, "utf8").trim().split("\n")) {
		now += line === "begin" ? 1 : -1;
		most = Math.max(most, now);
	}
	return most;
}

describe("heavy tools of one message (M7)", () => {
	it("run two at a time, however many are asked for", async () => {
		const { node, log } = writeConverter(0.5);
		await Promise.all(Array.from({ length: 6 }, () => convert(node)));
		expect(mostAtOnce(log)).toBe(2);
		expect(heavyWork().running()).toBe(0);
	});

	it("share one gate: conversions and pages", async () => {
		const leave = await Promise.all([heavyWork().take(), heavyWork().take()]);
		const { node } = writeConverter(0);
		const aborted = new AbortController();
		const page = createPageConverter()("<p>x</p>", "https://e.org/", aborted.signal);
		const document = convert(node, { signal: aborted.signal });
		expect(heavyWork().waiting()).toBe(2);
		aborted.abort();
		await expect(page).rejects.toThrow("cancelled");
		expect(await document).toMatchObject({ ok: false, code: "CONVERT_ABORTED" });
		for (const give of leave) give?.();
	});

	it("wait no longer than their own deadline", async () => {
		const leave = await Promise.all([heavyWork().take(), heavyWork().take()]);
		const { node } = writeConverter(0);
		expect(await convert(node, { timeoutMs: 200 })).toMatchObject({ ok: false, code: "CONVERT_TIMEOUT" });
		for (const give of leave) give?.();
		expect(heavyWork().waiting()).toBe(0);
	});
});
