import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeUserSettings } from "../../../src/config/write-user-settings.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
let file: string;
beforeEach(() => {
	home = createTestHome();
	file = join(home.agentDirectory, "deputize.json");
});
afterEach(() => home.remove());

const write = () =>
	writeUserSettings(home.agentDirectory, [{ path: ["subagents", "mainTools"], value: "always" }]);

describe("writeUserSettings", () => {
	it("makes the file, for its owner alone", () => {
		expect(write()).toBeUndefined();
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ subagents: { mainTools: "always" } });
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it("keeps everything else in it", () => {
		writeFileSync(file, '{"web":{"enabled":false},"subagents":{"timeoutMs":5,"mainTools":"on-demand"}}');
		expect(write()).toBeUndefined();
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
			web: { enabled: false },
			subagents: { timeoutMs: 5, mainTools: "always" },
		});
	});

	it.each(["{ not json", "[]", '{"subagents": 3}'])("leaves %s alone and says so", (text) => {
		writeFileSync(file, text);
		expect(write()).toContain("nothing was changed");
		expect(readFileSync(file, "utf8")).toBe(text);
	});
});
