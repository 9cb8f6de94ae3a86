import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createNavigator } from "../../../src/navigator/create-navigator.ts";

const cwd = mkdtempSync(join(tmpdir(), "deputize-secrets-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function review(line: string): Promise<string> {
	writeFileSync(join(cwd, "hide.js"), `${line}\n`);
	const judge = createJudge({ cwd, home: "/nonexistent", agentDirectory: "/nonexistent/agent" });
	const task = "Review hide.js";
	const step = await createNavigator({ cwd, judge }).plan({
		agent: "reviewer",
		task,
		tools: ["grep"],
		steps: [],
	});
	return step.kind === "finalize" ? (step.status === "SUCCESS" ? step.result : step.error) : "";
}

const SECRET = `const password = "${["vK8", "tQz2", "mWx7", "Lr4"].join("")}";`;

it.each([SECRET, `${SECRET} // shown as [REDACTED]`])("reports a secret: %s", async (line) => {
	expect(await review(line)).toContain("`hide.js:1`: looks like a secret");
});

it("does not take the mark of a redactor for a secret", async () => {
	const answer = await review('const hide = (text) => text.replaceAll(name, "[REDACTED]");');
	expect(answer).toContain("hide.js");
	expect(answer).not.toContain("looks like a secret");
});
