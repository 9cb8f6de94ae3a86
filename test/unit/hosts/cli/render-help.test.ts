import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../../src/hosts/cli/command-table.ts";
import { renderCommandHelp, renderHelpOverview } from "../../../../src/hosts/cli/render-help.ts";

describe("help", () => {
	it("lists every command", () => {
		for (const { name } of COMMANDS) expect(renderHelpOverview()).toMatch(new RegExp(`^  ${name}.*`, "m"));
		for (const { summary } of COMMANDS) expect(renderHelpOverview()).toContain(summary);
	});

	it.each(COMMANDS.map((row) => [row.name, row] as const))(
		"%s: usage and every option",
		async (name, row) => {
			const help = await row.help?.();
			if (help === undefined) return expect(name).toBe("exec");
			const text = renderCommandHelp(row, help);
			expect(text).toContain(`deputize ${name}`);
			for (const option of Object.keys(help.options)) expect(text).toContain(`--${option}`);
			for (const [example] of help.examples) expect(text).toContain(example);
		},
	);
});
