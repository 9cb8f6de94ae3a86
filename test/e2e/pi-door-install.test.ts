import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { packPackage } from "../helpers/pack-package.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
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
					pi: { extensions: ["./index.js"] },
				});
			},
			INSTALL_TIMEOUT_MS,
		);
	});
});
