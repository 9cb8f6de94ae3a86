import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listDeniedPlaces } from "../../../../src/runtimes/codex/list-denied-places.ts";

describe("places that are denied to Codex", () => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "denied-places-")));
	const at = (...names: string[]) => join(root, ...names);
	mkdirSync(at("cargo", "registry", "src"), { recursive: true });
	mkdirSync(at("cargo", "bin"), { recursive: true });
	writeFileSync(at("cargo", "credentials"), "");
	mkdirSync(at("ssh"));
	mkdirSync(at("crowd", "open"), { recursive: true });
	for (let index = 0; index < 501; index += 1) writeFileSync(at("crowd", `${index}`), "");
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	it("are the closed ones, entry by entry around what is open in them", () => {
		const denied = listDeniedPlaces(
			[at("ssh"), at("cargo"), at("missing")],
			[at("cargo", "registry"), at("cargo", "bin")],
		);
		expect(denied).toEqual([at("ssh"), at("cargo", "credentials")]);
	});

	it("leave out one that is open itself", () => {
		expect(listDeniedPlaces([at("cargo")], [at("cargo")])).toEqual([]);
	});

	it("are closed inside of what is open, and named once", () => {
		expect(listDeniedPlaces([at("cargo")], [root])).toEqual([at("cargo")]);
		const closed = [at("cargo"), at("cargo", "registry", "src"), at("cargo", "credentials")];
		expect(listDeniedPlaces(closed, [at("cargo", "registry")])).toEqual([
			at("cargo", "bin"),
			at("cargo", "credentials"),
			at("cargo", "registry", "src"),
		]);
	});

	it("close what is open in a directory with too many entries", () => {
		expect(listDeniedPlaces([at("crowd")], [at("crowd", "open")])).toEqual([at("crowd")]);
	});
});
