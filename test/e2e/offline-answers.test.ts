import { expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome } from "../helpers/test-home.ts";

it.each([
	["explorer", "Where is createOrder?"],
	["explorer", "Give me an overview of this project"],
	["explorer", "Where is nothingOfThatName?"],
	["reviewer", "Review the working tree"],
	["implementer", "Plan a tax for orders"],
	["tester", "Plan tests of createOrder"],
	["researcher", "What do the documents say about orders?"],
])("every offline answer begins by saying so: %s, %s", async (agent, task) => {
	const home = createTestHome({
		"src/orders.js": "export function createOrder(order) {\n\treturn order;\n}\n",
		"README.md": "# Orders\n\nOrders are made by createOrder.\n",
	});
	try {
		const args = ["run", agent, task, "--offline", "--quiet"];
		const { stdout } = await runCli(args, { cwd: home.project, env: home.env });
		expect(stdout).toMatch(/^Answered by deputize's offline navigator: .*no language model\./);
	} finally {
		home.remove();
	}
});
