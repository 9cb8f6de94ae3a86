import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDevtools, type Devtools } from "./connect-devtools.ts";

/** One tab of a real Chromium, spoken to in the DevTools protocol. */
export interface Tab extends Pick<Devtools, "send"> {
	/** The value of an expression in the page; promises are awaited. */
	evaluate<Value>(expression: string): Promise<Value>;
	open(address: string): Promise<void>;
	/** Waits until the expression is true in the page. */
	until(expression: string, timeoutMs?: number): Promise<void>;
	/** Starts looking, and returns how to wait for the moment in which the expression becomes true, in milliseconds since 1970. */
	watch(expression: string): Promise<() => Promise<number>>;
	screenshot(options: {
		readonly width: number;
		readonly height: number;
		readonly dark?: boolean;
	}): Promise<Buffer>;
	/** Every address that was asked for, in order. */
	readonly requests: string[];
	/** Errors of the page, such as of its content security policy. */
	readonly problems: string[];
	close(): Promise<void>;
}

export interface Browser {
	openTab(): Promise<Tab>;
	close(): Promise<void>;
}

/** Chromium from Debian. Its own sandbox does not work for root, so it is off: it only sees what the test serves. */
export async function startChromium(): Promise<Browser> {
	const profile = mkdtempSync(join(tmpdir(), "deputize-chromium-"));
	const browser = spawn(
		process.env["CHROMIUM"] ?? "chromium",
		[
			...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
			...[
				"--disable-background-networking",
				"--disable-component-update",
				"--disable-sync",
				"--hide-scrollbars",
			],
			...["--host-resolver-rules=MAP evil.example 127.0.0.1", "--lang=en-US"],
			...[`--user-data-dir=${profile}`, "--remote-debugging-port=0", "about:blank"],
		],
		{
			stdio: ["ignore", "ignore", "pipe"],
			detached: true,
			env: { ...process.env, HOME: profile, TMPDIR: profile, TZ: "UTC" },
		},
	);
	const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
	let output = "";
	browser.stderr.setEncoding("utf8").on("data", (part: string) => {
		output += part;
		const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
		if (found) resolve(found);
	});
	browser.on("error", reject);
	browser.on("exit", () => reject(new Error(`chromium ended: ${output}`)));
	const origin = new URL(await ready);
	return {
		async openTab() {
			const reply = await fetch(`http://${origin.host}/json/new?about:blank`, { method: "PUT" });
			const target = (await reply.json()) as { webSocketDebuggerUrl: string };
			return connectTab(target.webSocketDebuggerUrl);
		},
		async close() {
			const ended = browser.exitCode === null ? once(browser, "exit") : undefined;
			if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
			await ended;
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

async function connectTab(address: string): Promise<Tab> {
	const requests: string[] = [];
	const problems: string[] = [];
	/** Documents that are loaded. A new tab may still load its empty one. */
	const loaded = new Set<unknown>();
	const { send, disconnect } = await connectDevtools(address, (method, params) => {
		if (method === "Network.requestWillBeSent") requests.push((params["request"] as { url: string }).url);
		if (method === "Page.lifecycleEvent" && params["name"] === "load") loaded.add(params["loaderId"]);
		if (method === "Runtime.exceptionThrown")
			problems.push((params["exceptionDetails"] as { text: string }).text);
		const entry = params["entry"] as { level: string; text: string } | undefined;
		if (method === "Log.entryAdded" && entry?.level === "error") problems.push(entry.text);
	});
	const evaluate = async <Value>(expression: string): Promise<Value> => {
		const options = { expression, awaitPromise: true, returnByValue: true };
		const { result, exceptionDetails } = (await send("Runtime.evaluate", options)) as {
			result: { value: Value };
			exceptionDetails?: { exception?: { description?: string } };
		};
		if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "evaluate failed");
		return result.value;
	};
	const until = async (expression: string, timeoutMs = 20_000): Promise<void> => {
		for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
			if (await evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		throw new Error(
			`never true: ${expression}\n${await evaluate<string>("document.body.innerText.slice(0, 2000)")}`,
		);
	};
	for (const domain of ["Page", "Network", "Runtime", "Log"]) await send(`${domain}.enable`);
	await send("Page.setLifecycleEventsEnabled", { enabled: true });
	return {
		send,
		evaluate,
		until,
		async watch(expression) {
			await evaluate(`void (window.watched = new Promise((resolve) => {
				const look = () => { if (${expression}) { observer.disconnect(); resolve(Date.now()); } };
				const observer = new MutationObserver(look);
				observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
				look();
			}))`);
			return () => evaluate<number>("window.watched");
		},
		requests,
		problems,
		async open(target) {
			const { loaderId, errorText } = await send("Page.navigate", { url: target });
			if (errorText) throw new Error(`${target}: ${errorText}`);
			for (const deadline = Date.now() + 20_000; !loaded.has(loaderId); ) {
				if (Date.now() > deadline) throw new Error(`${target}: was never loaded`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		async screenshot({ width, height, dark = false }) {
			await send("Emulation.setDeviceMetricsOverride", {
				width,
				height,
				deviceScaleFactor: 1,
				mobile: false,
			});
			const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
			await send("Emulation.setEmulatedMedia", { features });
			await new Promise((resolve) => setTimeout(resolve, 150));
			const { data } = (await send("Page.captureScreenshot", { format: "png" })) as { data: string };
			return Buffer.from(data, "base64");
		},
		async close() {
			// The tab may be gone before it could say so.
			await send("Page.close").catch(() => undefined);
			await disconnect();
		},
	};
}
