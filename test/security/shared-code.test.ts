import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPiModels } from "../../src/runtimes/pi/list-pi-models.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { createFaultBench, expectSuccess, type FaultBench, posedPi } from "../helpers/process-faults.ts";

// Attacks on 0652d9e, 01b and B1: compiled code is run without a look at who wrote it.

const probe = await probeSandbox({ env: process.env });
let bench: FaultBench;
let agentDirectory: string;
beforeEach(() => {
	bench = createFaultBench();
	agentDirectory = join(bench.home, ".pi", "agent");
	mkdirSync(agentDirectory, { recursive: true });
});
afterEach(async () => {
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

/** The beginning of pi's own cli.js, and where its code then comes from. */
const BEGINNING =
	'import { enableCompileCache, getCompileCacheDir } from "node:module";\nenableCompileCache();\n';

describe("pi outside of a sandbox (B1)", () => {
	/** A package with pi's layout, which says where its compiled code and its temporary files are. */
	function writePackage(): string {
		const directory = join(bench.root, "pi");
		mkdirSync(join(directory, "dist", "bundle"), { recursive: true });
		writeFileSync(join(directory, "package.json"), JSON.stringify({ version: "0.87.1", type: "module" }));
		writeFileSync(
			join(directory, "dist", "bundle", "cli.js"),
			`${BEGINNING}const show = (text) => String(text).replaceAll("/", ":");
console.log("provider  model");
console.log("cache  " + show(getCompileCacheDir()));
console.log("temporary  " + show(process.env.TMPDIR));
`,
		);
		return directory;
	}

	async function ask(): Promise<Record<string, string>> {
		const found = await listPiModels({
			env: { PATH: bench.env["PATH"], TMPDIR: bench.temporary },
			home: bench.home,
			agentDirectory,
			runningPackage: writePackage(),
		});
		return Object.fromEntries((found ?? []).map((line) => line.replaceAll(":", "/").split(/\/(.*)/s)));
	}

	it("loads no code from a temporary directory that everybody may write to", async () => {
		chmodSync(bench.temporary, 0o1777);
		const { cache = "", temporary = "" } = await ask();
		for (const path of [cache, temporary]) expect(path.startsWith(`${agentDirectory}/`)).toBe(true);
		expect(readdirSync(bench.temporary)).toEqual([]);
		for (let at = temporary; at !== agentDirectory; at = dirname(at))
			expect(statSync(at).mode & 0o077).toBe(0);
	});

	it("has no compiled code at all where somebody else could write to ours", async () => {
		mkdirSync(join(agentDirectory, "deputize"));
		chmodSync(join(agentDirectory, "deputize"), 0o777);
		expect(await ask()).toMatchObject({ cache: "undefined" });
	});
});

describe.skipIf(!probe.works)("a confined child (01b)", () => {
	/** Leaves something wherever it finds temporary files and code, and says what another one left there. */
	const ATTACK = `${BEGINNING}import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
const session = process.argv[process.argv.indexOf("--session") + 1];
const places = [process.env.TMPDIR, process.env.NODE_COMPILE_CACHE, getCompileCacheDir()].filter(Boolean);
const seen = places.flatMap((place) => { try { return readdirSync(place); } catch { return []; } });
const left = places.filter((place) => { try { writeFileSync(join(place, "poison"), "x"); return true; } catch { return false; } });
writeFileSync(join(dirname(session), "report.json"), JSON.stringify({ seen, left, temporary: process.env.TMPDIR }));
`;

	it("leaves nothing to the next one, and cannot change the code that all of them load", async () => {
		const program = join(bench.root, "attacker.mjs");
		writeFileSync(program, `${ATTACK}await import(${JSON.stringify(posedPi("good-run"))});\n`);
		const run = async () => {
			const result = await bench.delegateTo(program, {
				subagents: { sandbox: "required" },
				host: { listModels: () => ["posed/model"] },
			});
			expectSuccess(result, "done: probe");
			const directory = dirname(result.details.results[0]?.sessionFile ?? "");
			return JSON.parse(readFileSync(join(directory, "report.json"), "utf8")) as {
				readonly [name in "seen" | "left"]: readonly string[];
			} & { readonly temporary: string };
		};
		const first = await run();
		// Its own temporary directory took it, and nothing else did.
		expect(first.left.filter((path) => !path.startsWith(first.temporary))).toEqual([]);
		expect(first.left).toContain(first.temporary);
		const second = await run();
		expect(second.seen).not.toContain("poison");
		expect(second.temporary).not.toBe(first.temporary);
	});
});
