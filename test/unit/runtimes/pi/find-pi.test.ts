import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPi } from "../../../../src/runtimes/pi/find-pi.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

describe("findPi", () => {
	it("runs a script named by PI_SUBAGENT_PI_BINARY with this Node, and a program as it is", () => {
		const script = home.write("fake.mjs", "");
		const program = home.write("fake-pi", "#!/bin/sh\n");
		expect(findPi({ env: { PI_SUBAGENT_PI_BINARY: script }, cwd: home.project })).toEqual({
			command: process.execPath,
			prefix: [script],
		});
		expect(findPi({ env: { PI_SUBAGENT_PI_BINARY: "./fake-pi" }, cwd: home.project })).toEqual({
			command: program,
			prefix: [],
		});
	});

	it("says so when that does not exist", () => {
		expect(() => findPi({ env: { PI_SUBAGENT_PI_BINARY: "/nope/pi" }, cwd: home.project })).toThrow(
			/PI_SUBAGENT_PI_BINARY names "\/nope\/pi", which does not exist/,
		);
	});

	it("prefers the running pi, and always its bundle", () => {
		const directory = join(home.project, "pi");
		home.write("pi/dist/bundle/cli.js", "");
		home.write("pi/package.json", '{"version":"1.5.0"}');
		expect(findPi({ env: {}, cwd: home.project, runningPackage: directory })).toEqual({
			command: process.execPath,
			prefix: [join(directory, "dist/bundle/cli.js")],
			version: "1.5.0",
		});
	});

	it("refuses a pi that needs a newer Node, and says what that would add", () => {
		const directory = join(home.project, "pi");
		home.write("pi/dist/bundle/cli.js", "");
		home.write("pi/package.json", '{"version":"1.5.0","engines":{"node":">=22.19.0"}}');
		const find = (nodeVersion: string) =>
			findPi({ env: {}, cwd: home.project, runningPackage: directory, nodeVersion });
		expect(find("22.19.0").version).toBe("1.5.0");
		expect(find("24.1.0").version).toBe("1.5.0");
		expect(() => find("20.20.2")).toThrow("pi needs Node 22.19 or newer, and this is Node 20.20.2.");
		expect(() => find("22.18.9")).toThrow(
			expect.objectContaining({ gain: expect.stringContaining("With Node 22.19 or newer") }),
		);
	});

	it("finds the pi that is installed beside this package", () => {
		const found = findPi({ env: {}, cwd: home.project });
		expect(found.prefix[0]?.endsWith("@earendil-works/pi-coding-agent/dist/bundle/cli.js")).toBe(true);
		expect(found.version).toBe("0.87.1");
	});

	it("does not need an executable bit on a linked script", () => {
		mkdirSync(join(home.project, "bin"));
		const script = home.write("real.mjs", "");
		chmodSync(script, 0o644);
		symlinkSync(script, join(home.project, "bin/pi.mjs"));
		expect(
			findPi({ env: { PI_SUBAGENT_PI_BINARY: join(home.project, "bin/pi.mjs") }, cwd: home.project }).command,
		).toBe(process.execPath);
	});
});
