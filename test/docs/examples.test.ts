import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const directory = join(import.meta.dirname, "../../examples");
const examples = readdirSync(directory).filter((name) => name.endsWith(".mjs"));

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

describe("every example", () => {
	it.each(examples)("%s runs and checks its own result", async (name) => {
		const { stdout } = await promisify(execFile)(process.execPath, [join(directory, name)], {
			env: home.env,
		});
		expect(stdout.trim()).not.toBe("");
	});
});
