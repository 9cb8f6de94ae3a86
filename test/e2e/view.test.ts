import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RedactedText } from "../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../src/contract/usage.ts";
import { identifyProcess } from "../../src/process/identify-process.ts";
import { type Browser, startChromium, type Tab } from "../helpers/chromium.ts";
import { noteRun, toStart } from "../helpers/noted-runs.ts";
import { runProgram } from "../helpers/run-cli.ts";
import type { TestHome } from "../helpers/test-home.ts";
import { createViewHome } from "../helpers/view-home.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = join(ROOT, "dist", "cli.js");
/** Set to write the screens of the documentation again. */
const SCREENS = process.env["WRITE_SCREENS"];
const SECRET = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKl";
const text = (value: string) => value as RedactedText;

let home: TestHome;
let browser: Browser;
let tab: Tab;
let address: string;
let stop: () => Promise<void>;
const base = () => address.slice(0, address.indexOf("?"));
const port = () => new URL(address).port;

beforeAll(async () => {
	home = createViewHome();
	const server = spawn(process.execPath, [CLI, "view"], { cwd: home.project, env: home.env });
	const lines = once(server.stdout, "data");
	browser = await startChromium();
	address = String((await lines)[0]).trim();
	const ended = once(server, "exit");
	stop = async () => {
		server.kill("SIGTERM");
		expect((await ended)[0]).toBe(143);
	};
	tab = await browser.openTab();
	await tab.open(address);
	await tab.until("document.querySelectorAll('a.row').length > 5");
});
afterAll(async () => {
	await browser?.close();
	await stop?.();
	home?.remove();
});

const go = (hash: string) => tab.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
const shown = () => tab.evaluate<string>("document.body.innerText");

describe("screens", () => {
	const SIZES = { wide: { width: 1200, height: 760 }, narrow: { width: 400, height: 760 } };
	const places = [
		["runs", "#/", "document.querySelectorAll('a.row').length > 5"],
		["run", "#/run/3f2a91c0", "document.querySelectorAll('.transcript li').length === 9"],
		["compare", "#/compare/3f2a91c0/5b7d02e4", "document.querySelectorAll('.pair .transcript').length === 2"],
		["batches", "#/batches", "document.querySelectorAll('.batches li').length === 2"],
		["batch", "#/batch/2c5d0000-0000-4000-8000-000000000000", "document.querySelector('.failures')"],
		["cost", "#/cost", "document.querySelectorAll('.sums table').length === 4"],
	] as const;

	it.each(places)(
		"%s: nothing is wider than the window, everything has a name, light and dark",
		async (name, hash, ready) => {
			await go(hash);
			await tab.until(ready);
			for (const [size, dimensions] of Object.entries(SIZES))
				for (const dark of [false, true]) {
					const picture = await tab.screenshot({ ...dimensions, dark });
					expect(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
					expect(picture.length).toBeGreaterThan(5000);
					if (SCREENS)
						writeFileSync(join(SCREENS, `view-${name}-${size}${dark ? "-dark" : ""}.png`), picture);
				}
			await tab.send("Emulation.clearDeviceMetricsOverride");
			const { nodes } = (await tab.send("Accessibility.getFullAXTree")) as {
				nodes: { ignored: boolean; role?: { value: string }; name?: { value: string } }[];
			};
			const unnamed = nodes.filter(
				({ ignored, role, name: label }) =>
					!ignored &&
					["link", "button", "checkbox", "combobox", "searchbox", "progressbar"].includes(
						role?.value ?? "",
					) &&
					!label?.value,
			);
			expect(unnamed).toEqual([]);
			expect(tab.problems).toEqual([]);
		},
	);
});

it("a batch's page is headed by what its tasks are made of, has its figures, and finds a task", {
	timeout: 45_000,
}, async () => {
	await go("#/batch/2c5d0000-0000-4000-8000-000000000000");
	await tab.until("document.querySelector('h1')?.textContent === 'Review {path}'");
	const facts = await tab.evaluate<string>(
		"document.querySelector('.facts').innerText.replace(/\\s+/g, ' ')",
	);
	for (const fact of ["reviewer", "anthropic/claude-haiku-4-5", "14 s", "20 s", "$0.012"])
		expect(facts).toContain(fact);
	await tab.evaluate(`{
		const field = document.querySelector('input[type=search]');
		field.value = 'module-42';
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}`);
	await tab.until("document.querySelectorAll('table.runs tbody tr').length === 1");
	expect(await shown()).toContain("src/module-42.ts");
});

describe("a run's page", { timeout: 45_000 }, () => {
	it("has the task as its heading and the answer before the timeline, and uses the width there is", async () => {
		await tab.send("Emulation.setDeviceMetricsOverride", {
			width: 1400,
			height: 900,
			deviceScaleFactor: 1,
			mobile: false,
		});
		await go("#/");
		await tab.until("document.querySelector('table.runs')");
		expect(await tab.evaluate("document.querySelector('main').clientWidth")).toBeGreaterThan(1300);
		// Each click turns the order round, also one of an earlier try.
		await tab.until(`(() => {
			if (document.querySelector('th[aria-sort=descending]')?.innerText.includes('Cost')) return true;
			[...document.querySelectorAll('thead button')].find(({ innerText }) => innerText === 'Cost')?.click();
		})()`);
		await tab.evaluate("document.querySelector('a.row[href*=\"3f2a91c0\"]').click()");
		await tab.until("document.querySelector('.who') && document.querySelector('.timeline')");
		const task = await tab.evaluate("document.querySelector('h1').innerText");
		expect(await tab.evaluate("document.querySelector('.transcript .task').innerText")).toContain(task);
		expect(
			await tab.evaluate(
				"document.querySelector('.output').compareDocumentPosition(document.querySelector('.timeline')) & Node.DOCUMENT_POSITION_FOLLOWING",
			),
		).toBe(4);
		await tab.send("Emulation.clearDeviceMetricsOverride");
	});
});

describe("the page", { timeout: 45_000 }, () => {
	it("turns the token into a cookie that scripts and other paths do not see, and asks nobody else", async () => {
		expect(await tab.evaluate("location.href.split('#')[0]")).toBe(base());
		expect(await tab.evaluate("document.cookie")).toBe("");
		const { cookies } = (await tab.send("Network.getCookies", { urls: [base()] })) as { cookies: object[] };
		expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict", path: new URL(base()).pathname }]);
		expect(tab.requests.every((request) => request.startsWith(`http://127.0.0.1:${port()}/`))).toBe(true);
		const bytes = ["view-page.js", "view-page.css"].map((name) => statSync(join(ROOT, "dist", name)).size);
		expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(42 * 1024);
	});

	it("shows runs by who asked, narrows them, and opens one by keyboard", async () => {
		await go("#/");
		await tab.until("document.querySelectorAll('a.row').length === 8");
		expect(await shown()).toMatch(/8 runs[\s\S]*pi session 8a6c1f52 · 4 runs/);
		await tab.evaluate(
			"document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))",
		);
		expect(await tab.evaluate("document.activeElement.type")).toBe("search");
		await tab.send("Input.insertText", { text: "payment" });
		await tab.until("document.querySelectorAll('a.row').length === 1");
		expect(await shown()).toContain("1 run");
		await tab.evaluate("document.activeElement.blur()");
		await tab.evaluate(
			"document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))",
		);
		await tab.evaluate("document.activeElement.click()");
		await tab.until("document.querySelector('.who')?.innerText.includes('implementer')");
		expect(await shown()).toContain("lost: its process is gone");
	});

	it("has a transcript with calls, results and times, and finds words in it", async () => {
		await go("#/run/3f2a91c0");
		await tab.until("document.querySelectorAll('.transcript li').length === 9");
		expect(await tab.evaluate("document.querySelectorAll('.timeline li').length")).toBe(8);
		expect(await shown()).toMatch(/Handed over[\s\S]*Sent back/);
		await tab.evaluate("document.querySelector('input[type=search]').focus()");
		await tab.send("Input.insertText", { text: "require-role" });
		await tab.until("document.querySelectorAll('details[open] mark').length === 1");
		await tab.evaluate("document.querySelector('form').requestSubmit()");
		await tab.until("document.querySelector('mark.now')");
	});

	it("shows text as text: an answer, a path and a name with markup run nothing and load nothing", async () => {
		const attack = '<img src="http://evil.example/x" onerror="window.hit=1"><script>window.hit=1</script>';
		const run = noteRun(
			home.agentDirectory,
			toStart("a77ac000", {
				name: attack,
				cwd: `/tmp/${attack}`,
				summary: text(attack),
				model: attack,
				parent: `pi:${attack}`,
			}),
		);
		run.write({
			type: "message",
			at: 1,
			text: text(`${attack}</script><script>window.hit=1</script>`),
			usage: NO_USAGE,
		});
		run.write({ type: "call", at: 1, id: "1", name: attack, args: { [attack]: attack } });
		run.end({ ok: false, summary: text(attack), code: attack });
		await go("#/run/a77ac000");
		await tab.until("document.body.innerText.includes('onerror')");
		await go("#/");
		await tab.until("document.body.innerText.includes('onerror')");
		expect(await tab.evaluate("[window.hit ?? null, document.images.length]")).toEqual([null, 0]);
		const exported = home.write(
			"export.html",
			await tab.evaluate<string>(`fetch("export/a77ac000.html").then((reply) => reply.text())`),
		);
		const file = await browser.openTab();
		await file.open(`file://${exported}`);
		await file.until("document.body.innerText.includes('onerror')");
		expect(await file.evaluate("[window.hit ?? null, document.images.length]")).toEqual([null, 0]);
		expect(file.requests.filter((request) => !request.startsWith("file:"))).toEqual([]);
		expect(file.problems).toEqual([]);
		await file.close();
		expect(tab.requests.join()).not.toContain("evil.example");
		expect(tab.problems).toEqual([]);
	});

	it("hides a secret that a session file has", async () => {
		const at = Date.now();
		const session = home.write(
			"secret.jsonl",
			JSON.stringify({
				type: "message",
				timestamp: new Date(at).toISOString(),
				message: {
					role: "toolResult",
					toolCallId: "1",
					content: [{ type: "text", text: `ANTHROPIC_API_KEY=${SECRET}` }],
				},
			}),
		);
		const run = noteRun(
			home.agentDirectory,
			toStart("5ec2e700", { time: new Date(at).toISOString() }),
			session,
		);
		run.write({ type: "call", at, id: "1", name: "read", args: { path: ".env" } });
		run.write({ type: "result", at, id: "1", isError: false });
		run.end({ time: new Date(at + 100).toISOString() });
		await go("#/run/5ec2e700");
		await tab.until("document.querySelector('.result')?.textContent.includes('[REDACTED]')");
		const raw = await tab.evaluate<string>('fetch("api/run/5ec2e700").then((reply) => reply.text())');
		expect(raw + (await tab.evaluate("document.documentElement.innerHTML"))).not.toContain("AbCdEfGh");
	});

	it("shows each event of a run as it happens, in order and without being loaded again, and its end when it was killed", async () => {
		await go("#/");
		await tab.until("document.querySelector('table.runs')");
		const runner = spawn("sleep", ["60"]);
		const now = () => Date.now();
		await tab.evaluate("window.mark = 'not reloaded'");
		const identity = { ...identifyProcess(runner.pid as number), host: hostname() };
		const run = noteRun(
			home.agentDirectory,
			toStart("11fe0000", {
				time: new Date().toISOString(),
				process: identity,
				summary: text("a live task"),
			}),
		);
		await tab.until("document.body.innerText.includes('a live task')");
		await go("#/run/11fe0000");
		await tab.until("document.querySelector('.transcript')");
		const asked = tab.requests.length;
		run.write({ type: "writing", at: now(), text: text("I am wri") });
		await tab.until("document.querySelector('.caret') && document.body.innerText.includes('I am wri')");
		run.write({
			type: "message",
			at: now(),
			text: text("I am writing."),
			usage: { ...NO_USAGE, input: 5, turns: 1 },
		});
		await tab.until("!document.querySelector('.caret') && document.body.innerText.includes('I am writing.')");
		run.write({ type: "call", at: now(), id: "1", name: "grep", args: { pattern: "live" } });
		await tab.until("document.querySelector('summary')?.innerText.includes('running…')");
		run.write({ type: "result", at: now(), id: "1", isError: false });
		await tab.until("!document.querySelector('summary')?.innerText.includes('running…')");
		expect(
			await tab.evaluate("[...document.querySelectorAll('.transcript li')].map((entry) => entry.className)"),
		).toEqual(["task", "text", "call"]);
		runner.kill("SIGKILL");
		await once(runner, "exit");
		await tab.until("document.querySelector('.who')?.innerText.includes('lost')");
		expect(await tab.evaluate("window.mark")).toBe("not reloaded");
		// How soon is measured by bench/view. What was asked for again came through the feed, not by polling.
		expect(tab.requests.slice(asked).every((request) => /api\/(run\/11fe0000|live)/.test(request))).toBe(
			true,
		);
	});

	it("lets its connection go while it is hidden, and shows what happened when it is seen again", async () => {
		await go("#/");
		await tab.until("document.querySelector('table.runs')");
		const setHidden = (isHidden: boolean) =>
			tab.evaluate(`void (Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }),
				document.dispatchEvent(new Event("visibilitychange")))`);
		const feeds = () => tab.requests.filter((request) => request.includes("api/live")).length;
		const before = feeds();
		await setHidden(true);
		noteRun(home.agentDirectory, toStart("41dde000", { summary: text("nobody saw it") })).end();
		await setHidden(false);
		await tab.until("document.body.innerText.includes('nobody saw it')");
		expect(feeds()).toBe(before + 1);
		await tab.evaluate("void delete document.hidden");
	});
});

describe("whoever else asks", () => {
	const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
		fetch(`http://127.0.0.1:${port()}${path}`, { method, headers, redirect: "manual" });
	const path = () => new URL(base()).pathname;
	let session: string;
	const cookie = () => `deputize_view=${session}`;
	beforeAll(async () => {
		const { cookies } = (await tab.send("Network.getCookies", { urls: [base()] })) as {
			cookies: { value: string }[];
		};
		session = cookies[0]?.value ?? "";
	});

	it("gets nothing with an address that was opened before, which is what a browser's history has", async () => {
		const history = (await tab.send("Page.getNavigationHistory")) as { entries: { url: string }[] };
		expect(history.entries.filter(({ url }) => url.includes("token"))).toEqual([]);
		expect(address).not.toContain(session);
		const reply = await fetch(address, { redirect: "manual" });
		expect([reply.status, reply.headers.get("set-cookie")]).toEqual([401, null]);
		expect(await reply.text()).toContain("This address was opened before, and each opens the page once.");
		const stranger = await browser.openTab();
		await stranger.send("Network.clearBrowserCookies");
		await stranger.open(address);
		expect(await stranger.evaluate("document.body.innerText")).toContain("opened before");
		await stranger.close();
		await tab.send("Network.setCookie", {
			...{ name: "deputize_view", value: session, url: base(), path: path() },
			...{ httpOnly: true, sameSite: "Strict" },
		});
		await tab.open(address);
		expect(await tab.evaluate("location.href")).toBe(base());
	});

	it("gets nothing without the token, under a foreign name, from another page or with another method", async () => {
		for (const part of ["", "page.js", "api/runs", "api/run/3f2a91c0", "api/live", "export/3f2a91c0.html"]) {
			expect((await ask(`${path()}${part}`)).status).toBe(401);
			expect((await ask(`${path()}${part}`, { cookie: "deputize_view=wrong" })).status).toBe(401);
			expect(
				(await ask(`${path()}${part}`, { cookie: cookie(), origin: "http://evil.example" })).status,
			).toBe(403);
			expect((await ask(`${path()}${part}`, { cookie: cookie() }, "POST")).status).toBe(405);
		}
		expect((await ask("/api/runs", { cookie: cookie() })).status).toBe(404);
		expect(
			(await ask(`${path()}api/runs`, { cookie: cookie(), "sec-fetch-site": "cross-site" })).status,
		).toBe(403);
		expect((await ask(`${path()}api/runs`, { cookie: cookie() })).status).toBe(200);
		expect((await ask(`${path()}api/run/..%2f..%2fjournal`, { cookie: cookie() })).status).toBe(404);
		const reply = await ask(path(), { cookie: cookie() });
		expect(reply.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
		expect(reply.headers.get("access-control-allow-origin")).toBeNull();
	});

	it("gets nothing through a name that points here, nor with a form of a stranger's page", async () => {
		const stranger = await browser.openTab();
		await stranger.open(
			`http://evil.example:${port()}${path()}?token=${new URL(address).searchParams.get("token")}`,
		);
		expect(await stranger.evaluate("document.body.innerText")).toBe("This name is not served here.");
		const page = createServer((_request, response) =>
			response.setHeader("Content-Type", "text/html").end("<p>stranger</p>"),
		);
		await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
		try {
			await stranger.open(`http://127.0.0.1:${(page.address() as AddressInfo).port}/`);
			const tries = await stranger.evaluate<string[]>(`Promise.all([
				fetch(${JSON.stringify(`${base()}api/runs`)}, { credentials: "include" }).then((reply) => reply.text(), () => "blocked"),
				fetch(${JSON.stringify(`${base()}api/runs`)}, { method: "POST", mode: "no-cors", credentials: "include", headers: { "content-type": "text/plain" }, body: "{}" }).then((reply) => reply.type + reply.status, () => "blocked"),
				new Promise((resolve) => { const script = document.createElement("script"); script.src = ${JSON.stringify(`${base()}page.js`)}; script.onload = () => resolve("loaded"); script.onerror = () => resolve("blocked"); document.head.append(script); }),
			])`);
			expect(tries).toEqual(["blocked", expect.stringMatching(/^(opaque0|blocked)$/), "blocked"]);
		} finally {
			page.close();
			page.closeAllConnections();
			await stranger.close();
		}
	});
});

it("prints its address as JSON for a program that opens it", async () => {
	const server = spawn(process.execPath, [CLI, "view", "--json"], { cwd: home.project, env: home.env });
	const ended = once(server, "exit");
	const [line] = await once(server.stdout, "data");
	const { address } = JSON.parse(String(line)) as { address: string };
	expect((await fetch(address, { redirect: "manual" })).headers.get("set-cookie")).toBeTruthy();
	server.kill("SIGINT");
	expect((await ended)[0]).toBe(130);
});

it("writes one run as a file that opens without a server", async () => {
	const file = join(home.project, "run.html");
	const words = ["view", "3f2a", "--export", file, "--json"];
	const exporter = await runProgram(process.execPath, [CLI, ...words], { cwd: home.project, env: home.env });
	expect(exporter).toMatchObject({ code: 0, stderr: "" });
	expect(JSON.parse(exporter.stdout)).toMatchObject({ runId: expect.stringMatching(/^3f2a/), file });
	const opened = await browser.openTab();
	await opened.open(`file://${file}`);
	await opened.until("document.querySelectorAll('.transcript li').length === 9");
	expect(opened.problems).toEqual([]);
	await opened.close();
});

it("says so when its server is gone, and keeps what it has", async () => {
	await go("#/");
	await tab.until("document.querySelectorAll('a.row').length > 5");
	await stop();
	await tab.until("document.querySelector('[role=status]').innerText.startsWith('Not connected.')");
	expect(await tab.evaluate("document.querySelectorAll('a.row').length")).toBeGreaterThan(5);
});
