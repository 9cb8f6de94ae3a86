import { describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { checkEntryPoints } from "../../../scripts/check-entry-points.mjs";

const check = checkEntryPoints as (input: {
	points: Record<string, { source: string; usedBy: readonly string[]; isAlone?: true }>;
	sources: ReadonlyMap<string, string>;
	manifest: object;
}) => readonly string[];

const worker = { source: "tools/web/worker.ts", usedBy: ["tools/web"] };
const start = 'new Worker(locateEntryPoint("worker"));';

function checkSources(
	sources: Record<string, string>,
	points: Parameters<typeof check>[0]["points"] = { worker },
) {
	return check({
		points,
		sources: new Map(Object.entries(sources)),
		manifest: { bin: { x: "./dist/cli.js" } },
	});
}

describe("the check of entry points", () => {
	it("accepts a listed program that its room starts", () => {
		expect(checkSources({ "tools/web/worker.ts": "", "tools/web/start.ts": start })).toEqual([]);
	});

	it.each([
		["its source is missing", { "tools/web/start.ts": start }, /there is no src\/tools\/web\/worker\.ts/],
		["no file of the room starts it", { "tools/web/worker.ts": "" }, /nothing in src\/tools\/web uses it/],
		[
			"another room starts it",
			{ "tools/web/worker.ts": "", "tools/web/start.ts": start, "runtimes/pi/start.ts": start },
			/src\/runtimes\/pi\/start\.ts uses the entry point worker; name its room/,
		],
		[
			"a path is made from a file's own address",
			{
				"tools/web/worker.ts": "",
				"tools/web/start.ts": `${start} new URL("../../hosts/pi/x.js", import.meta.url)`,
			},
			/start\.ts makes a path from its own address/,
		],
		[
			"an address is put together at run time",
			{ "tools/web/worker.ts": "", "tools/web/start.ts": `${start} await import(address())` },
			/start\.ts imports an address put together at run time/,
		],
	])("objects when %s", (_case, sources, finding) => {
		expect(checkSources(sources as unknown as Record<string, string>)).toEqual([
			expect.stringMatching(finding),
		]);
	});

	it("objects to an entry point that nobody starts and package.json does not name", () => {
		const points = { cli: { source: "cli.ts", usedBy: [] }, other: { source: "cli.ts", usedBy: [] } };
		expect(checkSources({ "cli.ts": "" }, points)).toEqual([
			expect.stringMatching(/entry point other: no room/),
		]);
	});

	it("objects to code that would be copied into a file that must stand alone", () => {
		const points = { worker: { ...worker, isAlone: true as const } };
		const text = `import type { A } from "./a.ts";\nimport { locateEntryPoint } from "../../entry-points.ts";\nimport {\n\tb,\n} from "./b.ts";\n`;
		expect(checkSources({ "tools/web/worker.ts": text, "tools/web/start.ts": start }, points)).toEqual([
			"entry point worker must stand alone and imports ./b.ts",
		]);
	});

	it("lets packages be resolved and types be named", () => {
		const text = `${start} createRequire(import.meta.url).resolve("x") as typeof import("./y.ts"); await import("./z.ts")`;
		expect(checkSources({ "tools/web/worker.ts": "", "tools/web/start.ts": text })).toEqual([]);
	});
});
