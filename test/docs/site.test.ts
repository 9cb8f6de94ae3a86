import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { serveSite } from "../../scripts/serve-site.mjs";
import { type Browser, startChromium } from "../helpers/chromium.ts";

const root = join(import.meta.dirname, "../..");
const vitepress = join(root, "docs/node_modules/vitepress/bin/vitepress.js");
type ServeSite = (
	directory: string,
	port: number,
) => Promise<{ readonly server: Server; readonly address: string }>;

// `npm test` installs it; a single file that is run by hand may find it missing.
describe.skipIf(!existsSync(vitepress) && !process.env["CI"])("the documentation site", () => {
	const site = mkdtempSync(join(tmpdir(), "deputize-site-"));
	let server: Server;
	let browser: Browser;
	let address: string;
	const read = (page: string): string => readFileSync(join(site, page), "utf8");

	beforeAll(async () => {
		// Dead links between pages fail the build itself.
		await promisify(execFile)(process.execPath, [vitepress, "build", "docs", "--outDir", site], {
			cwd: root,
		});
		({ server, address } = await (serveSite as ServeSite)(site, 0));
		browser = await startChromium();
	}, 180_000);

	afterAll(async () => {
		await browser?.close();
		server?.close();
		rmSync(site, { recursive: true, force: true });
	});

	it("is served to this machine only, and nothing beside it", async () => {
		expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect((server.address() as { address: string }).address).toBe("127.0.0.1");
		expect((await fetch(`${address}/..%2f..%2fetc%2fpasswd`)).status).toBe(404);
		expect((await fetch(`${address}/`)).status).toBe(200);
	});

	it("has every page in the sidebar", () => {
		const shown = new Set(
			[...read("tutorial.html").matchAll(/href="\/([\w/.-]+\.html)"/g)].map(([, page]) => page),
		);
		const pages = globSync("**/*.html", { cwd: site }).filter((page) => !/^(404|index)\.html$/.test(page));
		const decisions = pages.filter(
			(page) => page.startsWith("decisions/") && page !== "decisions/README.html",
		);
		expect(pages.filter((page) => !shown.has(page)).sort()).toEqual(decisions.sort());
	});

	it("has no link, anchor or picture that leads nowhere", () => {
		const pages = new Map(globSync("**/*.html", { cwd: site }).map((page) => [page, read(page)]));
		const isThere = (page: string, target: string): boolean => {
			const [path = "", anchor] = decodeURIComponent(target).split("#");
			const file = path === "" ? page : posix.join(path.startsWith("/") ? "." : posix.dirname(page), path);
			const found = file.endsWith("/") ? `${file}index.html` : file;
			if (!existsSync(join(site, found))) return false;
			return !anchor || pages.get(found)?.includes(`id="${anchor}"`) === true;
		};
		const dead = [...pages].flatMap(([page, html]) =>
			[...html.matchAll(/(?:href|src)="(?!https?:|data:|mailto:)([^"]+)"/g)]
				.map(([, target = ""]) => target)
				.filter((target) => !isThere(page, target))
				.map((target) => `${page}: ${target}`),
		);
		expect([...new Set(dead)]).toEqual([]);
	});

	it("is readable, searchable and complete without any other server, in Chromium", async () => {
		const tab = await browser.openTab();
		await tab.open(`${address}/tutorial.html`);
		await tab.until('document.querySelector("h1")?.innerText.startsWith("Ten minutes")');
		await tab.until('document.querySelectorAll("main .language-sh").length > 5');
		// Pictures are there, at their size.
		await tab.evaluate('document.querySelectorAll("main img").forEach((image) => image.scrollIntoView())');
		await tab.until('[...document.querySelectorAll("main img")].every((image) => image.naturalWidth > 300)');
		await tab.until('document.querySelector(".VPNavBarTitle").innerText.trim() === "deputize"');
		expect(await tab.evaluate<boolean>('document.body.innerText.includes("{{")')).toBe(false);
		await tab.evaluate('document.querySelector(".VPNavBarSearch button").click()');
		await tab.until('document.querySelector("#localsearch-input")');
		await tab.evaluate(
			'(() => { const box = document.querySelector("#localsearch-input"); box.value = "lifeline"; box.dispatchEvent(new Event("input", { bubbles: true })); })()',
		);
		await tab.until(
			'[...document.querySelectorAll(".VPLocalSearchBox .result")].some((row) => /How it works/.test(row.innerText))',
		);
		await tab.open(`${address}/how-it-works.html`);
		await tab.until('[...document.querySelectorAll("main img")].length === 4');
		expect(
			tab.requests.filter((request) => !request.startsWith(address) && !request.startsWith("data:")),
		).toEqual([]);
		expect(tab.problems).toEqual([]);
		await tab.close();
	});

	it("is no wider than a window of 1280, and code has a contrast of at least 4.5", async () => {
		const tab = await browser.openTab();
		await tab.send("Emulation.setDeviceMetricsOverride", {
			width: 1280,
			height: 900,
			deviceScaleFactor: 1,
			mobile: false,
		});
		const faint = new Set<string>();
		const wide: string[] = [];
		for (const page of globSync("{*,reference/*}.html", { cwd: site }).filter(
			(name) => name !== "404.html",
		)) {
			await tab.open(`${address}/${page}`);
			await tab.until('document.querySelector("#app main, #app .VPHome, #app .VPContent")');
			if (await tab.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")) wide.push(page);
			for (const found of await tab.evaluate<string[]>(`(${listFaint})()`)) faint.add(found);
		}
		expect(wide).toEqual([]);
		expect([...faint]).toEqual([]);
		await tab.close();
	}, 120_000);
});

/** Runs in the page: colors in code blocks and of buttons that are too near to their ground, by WCAG's formula. */
const listFaint = String.raw`() => {
	const parse = (color) => color.match(/[\d.]+/g).map(Number);
	const light = (color) => {
		const [r, g, b] = parse(color).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const color = getComputedStyle(at).backgroundColor;
			if ((parse(color)[3] ?? 1) === 1) return color;
		}
		return "rgb(255, 255, 255)";
	};
	return [...document.querySelectorAll('div[class*="language-"] span, .VPButton')].filter((element) => element.innerText?.trim() && element.children.length === 0).flatMap((element) => {
		const [one, other] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
		const contrast = (one + 0.05) / (other + 0.05);
		return contrast < 4.5 ? [getComputedStyle(element).color + " on " + ground(element) + ": " + contrast.toFixed(2) + " " + element.className] : [];
	});
}`;
