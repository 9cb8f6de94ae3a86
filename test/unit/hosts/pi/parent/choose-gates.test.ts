import { expect, it } from "vitest";
import { chooseGates } from "../../../../../src/hosts/pi/parent/read-extension-source.ts";
import { createTestHome } from "../../../../helpers/test-home.ts";

it("gates are the extensions that look at tool calls, and those whose source cannot be read", () => {
	const home = createTestHome({
		"extensions/gate.ts": 'export default (pi) => pi.on("tool_call", () => ({ block: true }));',
		"extensions/split/index.ts": 'import { listen } from "./listen.ts"; export default listen;',
		"extensions/split/listen.ts": "export const listen = (pi) => pi.on('tool_call', check);",
		"extensions/theme.ts": "export default (pi) => pi.registerCommand('x', {});",
	});
	const file = (name: string): string => `${home.project}/extensions/${name}`;
	const all = ["gate.ts", "split/index.ts", "theme.ts", "missing.ts"].map(file);
	expect(chooseGates(all)).toEqual([file("gate.ts"), file("split/index.ts"), file("missing.ts")]);
	home.remove();
});
