import { expect, it } from "vitest";
import { INSERTED_SECRETS } from "../places/find-inserted-secrets.ts";

// A dump is one statement and can be any number of rows: the time is looked at for each of them.
it.each([
	["INSERT", `INSERT INTO users (name, password) VALUES ${Array(100).fill("('ann', 'x')").join(", ")};`],
	["COPY", `COPY users (name, password) FROM stdin;\n${"ann\tx\n".repeat(100)}\\.\n`],
])("the rows of one %s are bounded in time", (_name, text) => {
	let checks = 0;
	const find = (limit: number) =>
		INSERTED_SECRETS.find(
			text,
			{ indexes: [0], literals: [0] },
			{
				check() {
					checks += 1;
					if (checks > limit) throw new Error("time is up");
				},
			},
		);
	find(1000);
	expect(checks).toBeGreaterThan(100);
	checks = 0;
	expect(() => find(50)).toThrow("time is up");
});
