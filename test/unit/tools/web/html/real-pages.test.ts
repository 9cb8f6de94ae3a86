import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanOutsideText } from "../../../../../packages/ground/text/strip-control-sequences.ts";
import { measurePage, prepareReference } from "../../../../helpers/web-measure-page.ts";
import { REAL_PAGE_PACKAGES, REAL_PAGES } from "../../../../helpers/web-real-pages.ts";
import { type LoopbackServer, startLoopbackServer } from "../../../../helpers/web-server.ts";
import { openWebToolbox, readMarked, type WebToolbox } from "../../../../helpers/web-tools.ts";

const missing = REAL_PAGES.filter(({ file }) => !existsSync(file));
/** Each page that is not there is left out alone; CI must have all. */
const mayMiss = process.env["CI"] !== "true";
const present = mayMiss ? REAL_PAGES.filter((page) => !missing.includes(page)) : REAL_PAGES;

/** A site on loopback that serves documentation just as it was published, converted by the tool that a model calls. */
describe("documentation as it was published", () => {
	let server: LoopbackServer;
	let toolbox: WebToolbox;

	beforeAll(async () => {
		server = await startLoopbackServer((request, response) => {
			const page = REAL_PAGES.find(({ name }) => request.path === `/${name}.html`);
			response.setHeader("content-type", "text/html");
			response.end(page ? readFileSync(page.file) : "");
		});
		toolbox = await openWebToolbox({ maxContentChars: 10_000_000, maxStoredContentChars: 10_000_000 });
	});

	afterAll(async () => {
		await toolbox.close();
		await server.close();
	});

	it.skipIf(mayMiss && missing.length > 0)("is there in at least 30 pages", () => {
		expect(missing, `Install ${REAL_PAGE_PACKAGES}.`).toEqual([]);
		expect(REAL_PAGES.length).toBeGreaterThanOrEqual(30);
	});

	it.skipIf(mayMiss).each(missing)("$name is not installed", () => undefined);

	it.each(present)("$name keeps its words, links, code and tables, and loses its furniture", async (page) => {
		// Some pages have zero-width spaces in their code, which are taken out of everything that comes from outside.
		const reference = prepareReference(cleanOutsideText(readFileSync(page.file, "utf8")), page);
		const outcome = await toolbox.call("fetch_content", { url: `${server.origin}/${page.name}.html` });
		const markdown = readMarked(outcome).replaceAll(`${server.origin}/`, "https://docs.example/");
		const { title } = (outcome.details["results"] as { title: string }[])[0] ?? { title: "" };
		const measured = measurePage(`${title}\n\n${markdown}`, reference);
		expect(title).not.toBe("");
		expect(measured.wordsKept / measured.words).toBeGreaterThan(0.97);
		expect(measured.codeKept).toBe(measured.code);
		expect(measured.tablesKept).toBe(measured.tables);
		// Lists of the page's own sections and links inside code are left out on purpose.
		expect(measured.linksKept / Math.max(1, measured.links)).toBeGreaterThan(0.79);
		expect(measured.furnitureKept).toBeLessThan(8);
	});
});
