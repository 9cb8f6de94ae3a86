import { expect, it } from "vitest";
import { COMMANDS } from "../../../../src/hosts/cli/command-table.ts";

it.each(COMMANDS.map((row) => [row.name, row] as const))(
	"%s prints JSON on request, or the table says why not",
	async (_name, row) => {
		const options = (await row.help?.())?.options ?? {};
		expect("json" in options).toBe(row.noJson === undefined);
	},
);
