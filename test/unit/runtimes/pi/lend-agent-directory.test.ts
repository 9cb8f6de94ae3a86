import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lendAgentDirectory } from "../../../../src/runtimes/pi/lend-agent-directory.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const lend = (agentDirectory: string, loginFile?: string) =>
	lendAgentDirectory({ agentDirectory, runDirectory: home.project, loginFile });

describe("lendAgentDirectory", () => {
	it("lends nothing where the real one can be used, and makes one that is missing", () => {
		expect(lend(home.agentDirectory)).toBeUndefined();
		expect(lend(join(home.home, "new/agent"))).toBeUndefined();
		expect(statSync(join(home.home, "new/agent")).mode & 0o777).toBe(0o700);
	});

	it("lends an empty one where it cannot be made", () => {
		const lent = lend(join(home.write("a-file", ""), ".pi/agent"));
		expect(lent).toBe(join(home.project, "agent"));
		expect(readdirSync(lent ?? "")).toEqual([]);
		expect(statSync(lent ?? "").mode & 0o777).toBe(0o700);
	});

	// A read-only directory stops everybody but root.
	it.skipIf(process.getuid?.() === 0)(
		"lends what a run needs of one that is read-only, with this child's keys",
		() => {
			home.write(join(home.agentDirectory, "settings.json"), '{"a":1}');
			home.write(join(home.agentDirectory, "auth.json"), '{"all":"of them"}');
			symlinkSync("/nowhere", join(home.agentDirectory, "models.json"));
			chmodSync(home.agentDirectory, 0o500);
			const lent = lend(home.agentDirectory, home.write("one-login.json", '{"one":1}')) ?? "";
			chmodSync(home.agentDirectory, 0o700);
			expect(readdirSync(lent).sort()).toEqual(["auth.json", "settings.json"]);
			expect(readFileSync(join(lent, "auth.json"), "utf8")).toBe('{"one":1}');
		},
	);
});
