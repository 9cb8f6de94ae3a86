import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sanitizeOutput } from "../../packages/redaction/sanitize-output.ts";
import { createFaultBench, type FaultBench, posedPi } from "../helpers/process-faults.ts";

/** No eight characters in a row of a secret. */
function expectNoPiece(text: string, secret: string): void {
	for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
}

const TOKEN = `ghp_${"A1b2C3d4E5f6G7h8I9j0".repeat(2).slice(0, 36)}`;
const KNOWN = "zq81LmXk2pVt99";

describe("S0.41, M6: a secret that is still being written", () => {
	let bench: FaultBench;
	beforeEach(() => {
		bench = createFaultBench();
	});
	afterEach(() => bench.remove());

	it.each([
		["a value of the environment", `The key is ${KNOWN}`, KNOWN],
		["a token", `The value is ${TOKEN}`, TOKEN],
		["a password", "The settings:\npassword: hunter42zebra", "hunter42zebra"],
	])(
		"shows in no update and not in the output of a run that is cut there: %s",
		async (_kind, text, secret) => {
			// All but the last characters: the child dies in the middle of the secret.
			const cut = text.slice(0, -2);
			const shown: string[] = [];
			const result = await bench.delegateTo(posedPi("write-in-pieces"), {
				task: [...cut].reverse().join(""),
				env: { MY_SECRET_TOKEN: KNOWN },
				onUpdate: (update) => shown.push(JSON.stringify(update)),
			});
			expect(shown.length).toBeGreaterThan(3);
			expect(shown.join("\n")).toContain("The ");
			for (const piece of [...shown, JSON.stringify(result)]) expectNoPiece(piece, secret);
			expect(result.details.results[0]?.output).toContain("The");
		},
		60_000,
	);
});

describe("M6: nothing has a horizon", () => {
	const value = (row: number): string => `Zx${(row * 7919 + 104729).toString(36)}Qk${row % 10}!v`;
	const rows = Array.from({ length: 3000 }, (_, row) => ({ name: `user${row}`, password: value(row) }));
	const expectNone = (text: string): void => {
		const shown = sanitizeOutput(text, { home: "" });
		expect(rows.filter(({ password }) => shown.includes(password)).length).toBe(0);
	};

	it("hides a column of 3,000 rows", () => {
		expectNone(`name,password,age\n${rows.map((row) => `${row.name},${row.password},7`).join("\n")}\n`);
	});

	it("hides a column below a very long row", () => {
		const long = `${"x".repeat(5000)},${value(9999)},7`;
		const text = `name,password,age\n${long}\n${rows.map((row) => `${row.name},${row.password},7`).join("\n")}\n`;
		expectNone(text);
		expect(sanitizeOutput(text, { home: "" })).not.toContain(value(9999));
	});

	it("hides a column whose title is in a line of any length", () => {
		const titles = Array.from({ length: 3000 }, (_, number) => `measurement_${number}`);
		const csv = ["password", ...titles].join(",");
		expect(csv.length).toBeGreaterThan(40_000);
		const cells = ",1".repeat(titles.length);
		expectNone(
			`${csv}\n${rows
				.slice(0, 20)
				.map((row) => `${row.password}${cells}`)
				.join("\n")}\n`,
		);
		const aligned = `PASSWORD    ${"SAMPLE    ".repeat(3000)}`;
		const pad = (row: (typeof rows)[number]): string => row.password.padEnd(12) + "1         ".repeat(3000);
		expectNone(`${aligned}\n${rows.slice(0, 20).map(pad).join("\n")}\n`);
	});

	it("hides 3,000 rows of an INSERT", () => {
		const values = rows.map((row) => `('${row.name}', '${row.password}')`).join(",\n");
		expectNone(`INSERT INTO users (name, password) VALUES ${values};`);
	});

	it("hides the entries of a long block under a name for secrets", () => {
		expectNone(`{"tokens": {\n${rows.map((row) => `  "${row.name}": "${row.password}"`).join(",\n")}\n}}`);
		expectNone(`secrets:\n${rows.map((row) => `  ${row.name}: ${row.password}`).join("\n")}\n`);
	});
});

describe("S0.37: Authorization", () => {
	const random = (alphabet: string, length: number, seed: number): string =>
		Array.from(
			{ length },
			(_, at) => alphabet[(seed * 31 + at * at * 17 + at * seed) % alphabet.length],
		).join("");
	const letters = "abcdefghijklmnopqrstuvwxyz";
	const values = Array.from({ length: 20 }, (_, seed) => [
		random("0123456789abcdef", 12, seed + 1),
		random(`${letters}${letters.toUpperCase()}0123456789`, 12, seed + 1),
		random("0123456789", 10, seed + 1),
		random(letters, 16, seed + 1),
	]).flat();

	it.each([
		"Authorization: %",
		"authorization: %",
		"> Authorization: %",
		"-H 'Authorization: %'",
		'"Authorization": "%"',
		"Authorization: Bearer %",
		"Authorization: Token %",
		"Authorization: Custom %",
		'headers.set("Authorization", "%")',
	])("is hidden in %s", (place) => {
		for (const value of [...values, "opensesame", "letmein", "zeppelin"]) {
			expect(sanitizeOutput(`GET / HTTP/1.1\n${place.replace("%", value)}\nAccept: */*`)).not.toContain(
				value,
			);
		}
	});

	it.each([
		"Authorization: Bearer $TOKEN",
		"Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}",
		"Authorization: Bearer <token>",
		"Authorization: Bearer YOUR_API_KEY",
		"headers: { Authorization: `Bearer ${token}` }",
		"const { authorization } = request.headers;",
		"authorization: string;",
		"  authorization: enabled",
		"Authorization: required",
		"The Authorization header carries the token of the session.",
		"Authorization: who may do what is decided by the policy.",
		"{ authorization: header }",
		'for (const name of ["authorization", "host", "cookie"]) drop(name);',
		"Headers (`authorization`, `x-api-key`, `cookie`) are left out.",
		"If it has no `Authorization`, then:",
	])("leaves %s", (text) => {
		expect(sanitizeOutput(text)).toBe(text);
	});
});

describe("S0.39: paths of users", () => {
	it.each([
		["/home/alice/notes.txt:12", "~/notes.txt:12"],
		["see /Users/bob/src/a.ts:3:7", "see ~/src/a.ts:3:7"],
		["C:\\Users\\carol\\app\\main.py", "~\\app\\main.py"],
		['{"path":"C:\\\\Users\\\\Carol Smith\\\\x.ts"}', '{"path":"~\\\\x.ts"}'],
		["file:///home/alice/x.ts", "file://~/x.ts"],
		["/mnt/c/Users/carol/x", "~/x"],
		["/home/alice", "~"],
		["/Users/bob", "~"],
		["C:\\Users\\carol", "~"],
	])("are shown without the name: %s", (text, shown) => {
		expect(sanitizeOutput(text, { home: "/home/me", cwd: "/srv/tree" })).toBe(shown);
	});
});

describe("the kinds that the review missed", () => {
	const envLine = "DATABASE_PASSWORD=kX9vLq2mZt7w";
	const base64 = (text: string): string => Buffer.from(text).toString("base64");
	const hex = (text: string): string => Buffer.from(text).toString("hex");

	it.each([
		["openssl -k", "openssl enc -aes-256-cbc -in a -out b -k kX9vLq2mZt7w", "kX9vLq2mZt7w"],
		[
			"a Sentry DSN",
			"https://9f86d081884c7d659a2feaa0c55ad015@o4504.ingest.sentry.io/4505",
			"9f86d081884c7d659a2feaa0c55ad015",
		],
		["base64 of an env line", `data: ${base64(envLine)}`, base64(envLine)],
		[
			"base64 of several env lines",
			`echo ${base64(`A=1\n${envLine}\nB=2\n`)} | base64 -d`,
			base64(envLine).slice(4, -4),
		],
		["base64 of base64", `x ${base64(base64(envLine))} y`, base64(base64(envLine))],
		["base64 of hex of base64", `x ${base64(hex(base64(envLine)))} y`, base64(hex(base64(envLine)))],
		["hex of an env line", `blob ${hex(envLine)}`, hex(envLine)],
		[
			"an AWS secret on the line after its key id",
			"AKIAQ7RSTUVW2X4YZ6AB\nwJ7rXUtnFEMI2K7MDENGbPxRfiCYq8LmZt4vNs1T\n",
			"wJ7rXUtnFEMI2K7MDENGbPxRfiCYq8LmZt4vNs1T",
		],
		[
			"a row of pg_dump",
			"COPY public.users (id, email, password, created_at) FROM stdin;\n1\tann@example.org\tkX9vLq2mZt7w\t2026-01-01\n\\.\n",
			"kX9vLq2mZt7w",
		],
	])("is found: %s", (_kind, text, secret) => {
		expectNoPiece(sanitizeOutput(text, { home: "" }), secret);
	});
});
