import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lendLogin } from "../../../../src/runtimes/pi/lend-login.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const login = (access: string, expires: number) => ({
	type: "oauth",
	access,
	refresh: `r-${access}`,
	expires,
});

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const auth = () => join(home.agentDirectory, "auth.json");
const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const lend = (provider: string | undefined) =>
	lendLogin({
		agentDirectory: home.agentDirectory,
		runDirectory: home.project,
		provider,
		timeoutMs: 900_000,
		now: NOW,
	});

describe("lendLogin", () => {
	it("shows a child its own provider's login, read-only", () => {
		home.write(
			auth(),
			JSON.stringify({ anthropic: login("a", NOW + 5 * HOUR), openai: { type: "api_key", key: "k" } }),
		);
		const lent = lend("anthropic");
		expect(lent?.isWritable).toBe(false);
		expect(Object.keys(read(lent!.file))).toEqual(["anthropic"]);
		expect(statSync(lent!.file).mode & 0o777).toBe(0o600);
		expect(lent!.file.startsWith(home.project)).toBe(true);
	});

	it("has nothing to lend where there is no file", () => {
		expect(lend("anthropic")).toBeUndefined();
	});

	it("takes back refreshed tokens of a login that ended during the run, and nothing else", () => {
		const untouched = { type: "api_key", key: "k" };
		home.write(
			auth(),
			JSON.stringify({ anthropic: { ...login("old", NOW + 60_000), scope: "x" }, openai: untouched }),
		);
		const lent = lend("anthropic")!;
		expect(lent.isWritable).toBe(true);
		writeFileSync(
			lent.file,
			JSON.stringify({
				anthropic: { ...login("new", NOW + 8 * HOUR), scope: "!touch /tmp/evil", key: "!evil" },
				openai: { type: "api_key", key: "!evil" },
				planted: login("p", NOW + 8 * HOUR),
			}),
		);
		lent.giveBack();
		expect(read(auth())).toEqual({
			anthropic: { ...login("new", NOW + 8 * HOUR), scope: "x" },
			openai: untouched,
		});
		expect(existsSync(lent.file)).toBe(false);
	});

	it.each([
		["a command as token", { anthropic: { ...login("new", NOW + 8 * HOUR), access: "!touch /tmp/evil" } }],
		["a variable as token", { anthropic: { ...login("new", NOW + 8 * HOUR), refresh: "$HOME" } }],
		["another kind of login", { anthropic: { type: "api_key", key: "!evil" } }],
		["an older login", { anthropic: login("older", NOW - HOUR) }],
		["no JSON", undefined],
	])("ignores %s", (_, planted) => {
		const before = { anthropic: login("old", NOW + 60_000) };
		home.write(auth(), JSON.stringify(before));
		const lent = lend("anthropic")!;
		writeFileSync(lent.file, planted === undefined ? "{" : JSON.stringify(planted));
		lent.giveBack();
		expect(read(auth())).toEqual(before);
	});

	it("lends one copy to all children while the login has to be refreshed", () => {
		home.write(auth(), JSON.stringify({ anthropic: login("old", NOW + 60_000) }));
		const first = lend("anthropic")!;
		const second = lend("anthropic")!;
		expect(second.file).toBe(first.file);
		first.giveBack();
		expect(existsSync(second.file)).toBe(true);
		writeFileSync(second.file, JSON.stringify({ anthropic: login("new", NOW + 8 * HOUR) }));
		second.giveBack();
		expect(read(auth()).anthropic.access).toBe("new");
	});
});
