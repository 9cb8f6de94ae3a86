import { describe, expect, it } from "vitest";
import { collectSecrets } from "../collect-secrets.ts";
import { sanitizeOutput } from "../sanitize-output.ts";

const env = {
	OPENAI_API_KEY: "plain-looking-value",
	DB_PASSWORD: "winter garden",
	GITHUB_TOKEN_PATH: "/run/token-file",
	DATABASE_URL: "postgres://bob:longpassword@db/app",
	PATH: "/usr/bin:/usr/local/bin",
	SHORT_TOKEN: "abc",
	EMPTY_SECRET: "",
	MASKED_PASSWORD: "************",
	UNSET_TOKEN: undefined,
};

describe("collectSecrets", () => {
	it("does not take the directories of a shell for passwords, however they are called", () => {
		const env = { PWD: "/home/anna/mein Prøjekt ü", OLDPWD: "/srv/my work/x" };
		expect(collectSecrets(env)).toEqual([]);
		expect(collectSecrets({ DB_PWD: "mein Prøjekt ü" })).toContain("mein Prøjekt ü");
	});

	it("takes the values of variables that name a secret, and no others", () => {
		const secrets = collectSecrets(env);
		expect(secrets).toContain("plain-looking-value");
		expect(secrets).toContain("winter garden");
		expect(secrets).toContain("postgres://bob:longpassword@db/app");
		expect(secrets.some((secret) => secret.includes("/usr/bin") || secret.includes("/run/token-file"))).toBe(
			false,
		);
		expect(secrets).not.toContain("abc");
		expect(secrets).not.toContain("************");
	});

	it("gives the longest first", () => {
		const lengths = collectSecrets(env, ["an extra value"]).map((secret) => secret.length);
		expect(lengths).toEqual([...lengths].sort((left, right) => right - left));
	});

	it("removes the encoded forms too", () => {
		const value = "winter garden";
		const secrets = collectSecrets({ DB_PASSWORD: value });
		for (const prefix of ["", "u:", "user", "admin:"]) {
			const encoded = Buffer.from(`${prefix}${value}!`).toString("base64");
			const core = Buffer.from(value).toString("base64").slice(4, 12);
			const result = sanitizeOutput(`x ${encoded} y`, { secrets });
			expect(result, prefix).toContain("[REDACTED]");
			expect(result).not.toContain(core);
		}
		expect(sanitizeOutput(`?q=${encodeURIComponent(value)}`, { secrets })).toBe("?q=[REDACTED]");
		expect(sanitizeOutput(Buffer.from(value).toString("hex"), { secrets })).toBe("[REDACTED]");
	});

	it("takes extra values as they are", () => {
		expect(sanitizeOutput("the blue elephant", { secrets: collectSecrets({}, ["blue elephant"]) })).toBe(
			"the [REDACTED]",
		);
	});
});
