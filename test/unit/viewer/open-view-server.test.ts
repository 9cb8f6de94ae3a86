import { expect, it } from "vitest";
import { readSurroundings } from "../../../src/config/read-surroundings.ts";
import { openViewServer } from "../../../src/viewer/open-view-server.ts";
import { createTestHome } from "../../helpers/test-home.ts";

it("a page's server answers who has the token, nobody else, and nobody once it is closed", async () => {
	const home = createTestHome();
	const server = await openViewServer({ surroundings: readSurroundings(home.env) });
	const ask = (address: string, headers: Record<string, string> = {}) =>
		fetch(address, { redirect: "manual", headers, signal: AbortSignal.timeout(10_000) });
	try {
		const address = server.createAddress();
		const [base = ""] = address.split("?");
		expect((await ask(base)).status).toBe(401);
		expect((await ask(`${base}?token=${"x".repeat(32)}`)).status).toBe(401);
		const entered = await ask(address);
		expect([entered.status, entered.headers.get("location")]).toEqual([303, new URL(base).pathname]);
		const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
		const page = await ask(base, { cookie });
		expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<!doctype html>")]);
		expect((await ask(`${base}api/nothing`, { cookie })).status).toBe(404);
		const again = await ask(address);
		expect([again.status, await again.text()]).toEqual([401, expect.stringContaining("opened before")]);
		expect(again.headers.get("set-cookie")).toBeNull();
		expect((await ask(address, { cookie })).status).toBe(303);
		expect(
			(await ask(base, { cookie: `deputize_view=${new URL(address).searchParams.get("token")}` })).status,
		).toBe(401);
		expect((await ask(server.createAddress())).status).toBe(303);
	} finally {
		await server.close();
	}
	await expect(ask(server.createAddress())).rejects.toThrow();
	home.remove();
});
