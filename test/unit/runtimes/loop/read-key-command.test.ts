import { expect, it } from "vitest";
import { readKeyCommand } from "../../../../src/runtimes/loop/read-key-command.ts";

const place = { env: { PATH: "/usr/bin:/bin" }, home: "/" };
const read = (script: string) => readKeyCommand(["sh", "-c", script], "work", place);

it("takes the first line that the command prints", async () => {
	expect(await read("echo ' the-key '; echo more")).toBe("the-key");
});

it.each([
	["fails", "echo the-key; exit 3", /models\.work\.keyCommand \(sh\) gave no key: exit code 3/],
	["prints nothing", "true", /it printed nothing/],
])("refuses to start when it %s, and shows nothing that it printed", async (_what, script, message) => {
	await expect(read(script)).rejects.toThrow(message);
	await expect(read(script)).rejects.not.toThrow(/the-key/);
});
