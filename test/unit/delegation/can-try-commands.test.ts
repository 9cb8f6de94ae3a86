import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { canTryCommands } from "../../../src/delegation/can-try-commands.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

it("is no, and no failure of the run, where a .git file leads nowhere", async () => {
	rmSync(join(home.project, ".git"), { recursive: true, force: true });
	home.write(".git", "gitdir: /nowhere/at/all\n");
	expect(await canTryCommands(home.project, home)).toBe(false);
});
