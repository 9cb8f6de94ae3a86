import { expect, it } from "vitest";
import { explainSpawnError } from "../../../src/process/explain-spawn-error.ts";
import { createTestHome } from "../../helpers/test-home.ts";

const refusal = Object.assign(new Error("spawn EACCES"), { code: "EACCES" });

it("a program that is nowhere on PATH is missing, whatever the system says about a directory it may not search", () => {
	const env = { PATH: "/no/such/directory:/usr/bin" };
	expect(explainSpawnError(refusal, { command: "no-such-program", cwd: "/", env })).toMatchObject({
		code: "ENOENT",
		message: expect.stringContaining("was not found"),
	});
});

it("a program that is there and may not be executed stays one", () => {
	const home = createTestHome({ "bin/tool": "x" });
	const env = { PATH: `${home.project}/bin` };
	for (const command of ["tool", `${home.project}/bin/tool`, "./nowhere"])
		expect(explainSpawnError(refusal, { command, cwd: "/", env }).code).toBe("EACCES");
	home.remove();
});
