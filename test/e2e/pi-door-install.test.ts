import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { packPackage } from "../helpers/pack-package.ts";
import { createPiHome, EXTENSION, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

const INSTALL_TIMEOUT_MS = 300_000;

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;

afterEach(async () => {
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
});

describe.each(PI_VERSIONS)("the packed package in pi $version", (pi) => {
	describe.skipIf(isLeftOut(pi))("installed with pi install", () => {
		beforeAll(() => demandInstalled(pi));

		it(
			"delegates without any further setting, and brings no copy of pi",
			async () => {
				provider = await startScriptedProvider((request) => {
					if (request.isChild) {
						const result = "It works.";
						return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
					}
					const task = { agent: "explorer", task: "Does it work?" };
					return request.turn === 0
						? { calls: [{ name: "subagent", arguments: task }] }
						: { text: "Thank you." };
				});
				home = createPiHome(provider.baseUrl);
				const source = `npm:deputize@file:${await packPackage()}`;
				execFileSync(process.execPath, [pi.script, "install", source], {
					cwd: home.project,
					env: { ...process.env, ...home.env, PI_OFFLINE: "" },
					stdio: "ignore",
				});
				const run = await runPiJson(home, "go", { extensions: [], script: pi.script });
				const [end] = toolEnds(run);
				expect(end?.isError).toBe(false);
				expect(end?.result.content[0]?.text).toContain("It works.");
				expect(run.lines.length).toBe(run.events.length);
				const modules = join(home.agentDirectory, "npm", "node_modules");
				expect(readdirSync(modules)).not.toContain("@earendil-works");
				const manifest = readFileSync(join(modules, "deputize", "package.json"), "utf8");
				expect(JSON.parse(manifest)).toMatchObject({
					keywords: expect.arrayContaining(["pi-package"]),
					// By this name pi lists the package as "deputize".
					pi: { extensions: ["./index.ts"] },
				});
			},
			INSTALL_TIMEOUT_MS,
		);
	});

	it.skipIf(isLeftOut(pi))("uses the pi it runs in, not a copy that lies beside it", async () => {
		demandInstalled(pi);
		provider = await startScriptedProvider(() => ({ text: "Hello." }));
		home = createPiHome(provider.baseUrl);
		const loaded = join(home.root, "loaded");
		for (const name of ["pi-coding-agent", "pi-tui"]) {
			const other = `modules/node_modules/@earendil-works/${name}`;
			home.write(`${other}/package.json`, JSON.stringify({ type: "module", exports: "./index.js" }));
			home.write(
				`${other}/index.js`,
				`import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(loaded)}, "");`,
			);
		}
		const staged = dirname(EXTENSION);
		const manifest = readFileSync(join(staged, "package.json"), "utf8");
		const beside = dirname(home.write("modules/node_modules/deputize/package.json", manifest));
		for (const name of ["dist", "agents"]) symlinkSync(join(staged, name), join(beside, name));
		const extension = join(beside, basename(EXTENSION));
		copyFileSync(EXTENSION, extension);
		const run = await runPiJson(home, "go", { extensions: [extension], script: pi.script });
		expect(provider.requests[0]?.tools).toContain("subagent");
		expect(run.exitCode).toBe(0);
		expect(existsSync(loaded)).toBe(false);
	});
});
