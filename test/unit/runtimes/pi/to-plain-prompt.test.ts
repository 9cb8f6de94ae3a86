import { describe, expect, it } from "vitest";
import { toPlainPrompt } from "../../../../src/runtimes/pi/to-plain-prompt.ts";

describe("a task for pi", () => {
	it.each(["/mcp list", "  /deploy now", "\n\ufeff/skill:x"])("is never a command: %j", (task) => {
		expect(toPlainPrompt(task).trim().startsWith("/")).toBe(false);
		expect(toPlainPrompt(task)).toContain(task);
	});

	it.each(["Where is /etc/hosts read?", "", "Task: x"])("is passed on as it is otherwise: %j", (task) => {
		expect(toPlainPrompt(task)).toBe(task);
	});
});
