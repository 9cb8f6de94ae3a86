import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSafeClient, type SafeClientOptions } from "../../../../src/tools/web/safe-fetch.ts";
import { type LoopbackServer, startLoopbackServer } from "../../../helpers/web-server.ts";

type Resolve = NonNullable<SafeClientOptions["resolve"]>;

let secret: LoopbackServer;

beforeAll(async () => {
	secret = await startLoopbackServer((request, response) => {
		if (request.path.startsWith("/to?")) {
			response.writeHead(302, { location: decodeURIComponent(request.path.slice(4)) });
			response.end();
			return;
		}
		response.end("SECRET");
	});
});

afterAll(() => secret.close());

function answerWith(...addresses: string[]): Resolve {
	return async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

async function ask(url: string, options: Partial<SafeClientOptions> = {}) {
	const client = createSafeClient({
		allowPrivateNetwork: false,
		resolve: answerWith("127.0.0.1"),
		...options,
	});
	try {
		return await client.fetchBytes(url.replaceAll("PORT", String(secret.port)), {
			signal: new AbortController().signal,
			timeoutMs: 10_000,
			maxBytes: 1000,
		});
	} finally {
		await client.close();
	}
}

/** Written into the URL itself: there is no name to look up. */
const LITERALS = [
	"http://127.0.0.1:PORT/",
	"http://127.0.0.1.:PORT/",
	"http://127.1:PORT/",
	"http://127.0.1:PORT/",
	"http://0:PORT/",
	"http://0.0.0.0:PORT/",
	"http://2130706433:PORT/",
	"http://0x7f000001:PORT/",
	"http://0x7f.0.0.1:PORT/",
	"http://0x7F.1:PORT/",
	"http://0177.0.0.1:PORT/",
	"http://0177.1:PORT/",
	"http://017700000001:PORT/",
	"http://0x7f.0.0x0.01:PORT/",
	"http://%31%32%37.0.0.1:PORT/",
	"http://127\u30020\u30020\u30021:PORT/",
	"http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:PORT/",
	"http://①②⑦.⓪.⓪.①:PORT/",
	"http:\\\\127.0.0.1:PORT\\",
	"http:127.0.0.1:PORT",
	"http://\t127.0.0.1:PORT/",
	"http://127.255.255.254:PORT/",
	"http://[::1]:PORT/",
	"http://[0:0:0:0:0:0:0:1]:PORT/",
	"http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/",
	"http://[::]:PORT/",
	"http://[::ffff:127.0.0.1]:PORT/",
	"http://[::ffff:7f00:1]:PORT/",
	"http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
	"http://[::127.0.0.1]:PORT/",
	"http://[::ffff:0:127.0.0.1]:PORT/",
	"http://[64:ff9b::127.0.0.1]:PORT/",
	"http://[64:ff9b:1::7f00:1]:PORT/",
	"http://[2002:7f00:1::]:PORT/",
	"http://[2001::7f00:1]:PORT/",
	"http://[fe80::1]:PORT/",
	"http://[febf::1]:PORT/",
	"http://[fc00::1]:PORT/",
	"http://[fd12:3456:789a::1]:PORT/",
	"http://[fec0::1]:PORT/",
	"http://[ff02::1]:PORT/",
	"http://[ff0e::1]:PORT/",
	"http://[2001:db8::1]:PORT/",
	"http://[100::1]:PORT/",
	"http://[5f00::1]:PORT/",
	"http://[4000::1]:PORT/",
	"http://[fd00:ec2::254]/latest/meta-data/",
	"http://169.254.169.254/latest/meta-data/",
	"http://0xa9fea9fe/latest/meta-data/",
	"http://2852039166/latest/meta-data/",
	"http://[::ffff:a9fe:a9fe]/latest/meta-data/",
	"http://100.100.100.200/latest/meta-data/",
	"http://192.0.0.192/latest/",
	"http://10.0.0.1/",
	"http://172.16.0.1/",
	"http://172.31.255.255/",
	"http://192.168.0.1/",
	"http://100.64.0.1/",
	"http://198.18.0.1/",
	"http://192.0.2.1/",
	"http://224.0.0.1/",
	"http://239.255.255.250:1900/",
	"http://240.0.0.1/",
	"http://255.255.255.255/",
	"https://127.0.0.1:PORT/",
	"https://[::1]:PORT/",
];

/** Names that are private whatever the resolver says; here it would answer with a public address. */
const PRIVATE_NAMES = [
	"http://localhost:PORT/",
	"http://LOCALHOST:PORT/",
	"http://localhost.:PORT/",
	"http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
	"http://anything.localhost:PORT/",
	"http://localhost.localdomain:PORT/",
	"http://printer.local:PORT/",
	"http://metadata.google.internal/computeMetadata/v1/",
	"http://metadata.google.internal./computeMetadata/v1/",
	"http://router.home.arpa/",
	"http://build.corp/",
];

/** What a resolver may answer for a name that looks public. */
const ANSWERS: readonly (readonly [name: string, addresses: readonly string[]])[] = [
	["loopback", ["127.0.0.1"]],
	["loopback behind a trailing dot", ["127.0.0.1"]],
	["another loopback address", ["127.8.8.8"]],
	["IPv6 loopback", ["::1"]],
	["mapped loopback", ["::ffff:127.0.0.1"]],
	["mapped loopback in hex", ["::ffff:7f00:1"]],
	["the unspecified address", ["0.0.0.0"]],
	["the unspecified IPv6 address", ["::"]],
	["public first, then loopback", ["93.184.216.34", "127.0.0.1"]],
	["loopback first, then public", ["127.0.0.1", "93.184.216.34"]],
	["public IPv4 and private IPv6", ["93.184.216.34", "fd00::1"]],
	["a cloud's metadata service", ["169.254.169.254"]],
	["NAT64 of loopback", ["64:ff9b::7f00:1"]],
	["6to4 of a private address", ["2002:c0a8:1::1"]],
	["link-local with a zone", ["fe80::1%lo"]],
	["something that is not an address", ["localhost"]],
	["an octal-looking address", ["0177.0.0.1"]],
];

describe("addresses that must never be contacted", () => {
	it("has at least 60 tricks in its tables", () => {
		expect(new Set(LITERALS).size).toBe(LITERALS.length);
		expect(LITERALS.length + PRIVATE_NAMES.length + ANSWERS.length).toBeGreaterThanOrEqual(60);
	});

	it.each(LITERALS)("refuses the literal %s", async (url) => {
		const outcome = await ask(url, { resolve: answerWith("93.184.216.34") });
		expect(outcome).toMatchObject({ ok: false, code: "PRIVATE_NETWORK_BLOCKED" });
	});

	it.each(PRIVATE_NAMES)("refuses the name %s without asking a resolver", async (url) => {
		let asked = 0;
		const resolve: Resolve = async () => {
			asked += 1;
			return [{ address: "93.184.216.34", family: 4 }];
		};
		expect(await ask(url, { resolve })).toMatchObject({ ok: false, code: "PRIVATE_NETWORK_BLOCKED" });
		expect(asked).toBe(0);
	});

	it.each(ANSWERS)("refuses a public-looking name that resolves to %s", async (name, addresses) => {
		const host = name.includes("trailing dot") ? "innocent.example." : "innocent.example";
		const outcome = await ask(`http://${host}:PORT/`, { resolve: answerWith(...addresses) });
		expect(outcome).toMatchObject({ ok: false, code: "PRIVATE_NETWORK_BLOCKED" });
	});

	it("reached the server in none of them", () => {
		expect(secret.requests).toEqual([]);
	});

	it("proves the server answers when the user allows private networks", async () => {
		const outcome = await ask("http://127.0.0.1:PORT/", { allowPrivateNetwork: true });
		expect(outcome.ok && new TextDecoder().decode(outcome.bytes)).toBe("SECRET");
	});
});

describe("a name that changes its answer", () => {
	it("is refused when it turns private between a first request and the next", async () => {
		// Unallocated, so that nothing real is ever dialed.
		const answers = [["2000::1"], ["127.0.0.1"]];
		let calls = 0;
		const resolve: Resolve = async () => {
			const addresses = answers[Math.min(calls, answers.length - 1)] as string[];
			calls += 1;
			return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
		};
		const before = secret.requests.length;
		// The first answer passes the check, and only that checked address may be dialed: nothing listens there.
		const client = createSafeClient({ allowPrivateNetwork: false, resolve });
		const request = { signal: new AbortController().signal, timeoutMs: 400, maxBytes: 1000 };
		const first = await client.fetchBytes(`http://rebind.example:${secret.port}/`, request);
		const second = await client.fetchBytes(`http://rebind.example:${secret.port}/`, request);
		await client.close();
		expect(first.ok).toBe(false);
		expect(second).toMatchObject({ ok: false, code: "PRIVATE_NETWORK_BLOCKED" });
		expect(secret.requests.length).toBe(before);
	});

	it("is asked once per connection, so that there is no second answer to swap in", async () => {
		let calls = 0;
		const resolve: Resolve = async () => {
			calls += 1;
			return [{ address: "127.0.0.1", family: 4 }];
		};
		const trustedOrigins = [`http://public.example:${secret.port}`];
		const outcome = await ask("http://public.example:PORT/", { resolve, trustedOrigins });
		expect(outcome.ok).toBe(true);
		expect(calls).toBe(1);
	});
});

describe("redirects from an allowed host", () => {
	const TARGETS = [
		"http://127.0.0.1:PORT/",
		"http://2130706433:PORT/",
		"http://[::1]:PORT/",
		"http://[::ffff:7f00:1]:PORT/",
		"//127.0.0.1:PORT/",
		"http://localhost:PORT/",
		"http://other.example:PORT/",
		"http://169.254.169.254/latest/meta-data/",
	];

	it.each(TARGETS)("are refused when they lead to %s", async (target) => {
		const trustedOrigins = [`http://public.example:${secret.port}`];
		const before = secret.requests.length;
		const location = encodeURIComponent(target.replaceAll("PORT", String(secret.port)));
		const outcome = await ask(`http://public.example:PORT/to?${location}`, { trustedOrigins });
		expect(outcome).toMatchObject({ ok: false, code: "PRIVATE_NETWORK_BLOCKED" });
		expect(secret.requests.length).toBe(before + 1);
	});

	it.each([
		"file:///etc/passwd",
		"ftp://example.org/",
		"data:text/plain,hello",
		"gopher://127.0.0.1:70/",
		"javascript:alert(1)",
		"http://user:password@example.org/",
	])("are refused when they lead to %s", async (target) => {
		const trustedOrigins = [`http://public.example:${secret.port}`];
		const outcome = await ask(`http://public.example:PORT/to?${encodeURIComponent(target)}`, {
			trustedOrigins,
		});
		expect(outcome).toMatchObject({ ok: false, code: "CONTENT_FETCH_INVALID_URL" });
	});

	it.each([
		"http://user:pw@127.0.0.1:PORT/",
		"http://example.org@127.0.0.1:PORT/",
		"http://127.0.0.1:PORT@evil/",
	])("%s is refused for its user name before anything is looked up", async (url) => {
		expect(await ask(url)).toMatchObject({ ok: false, code: "CONTENT_FETCH_INVALID_URL" });
	});
});
