// Compares our conversion of HTML to Markdown with others on the same real pages.
//   npm install && node compare.mjs [--pages] [--pandoc] [--only=name]
// What is measured is said in test/helpers/web-measure-page.ts. CPU time of this process; run it on a machine that is otherwise idle.
import { existsSync, readFileSync } from "node:fs";
import { measurePage, prepareReference } from "../../../../test/helpers/web-measure-page.ts";
import { BENCH_PAGES, REAL_PAGE_PACKAGES } from "../../../../test/helpers/web-real-pages.ts";
import { CONVERTERS } from "./converters.mjs";

const missing = BENCH_PAGES.filter(({ file }) => !existsSync(file));
if (missing.length > 0) {
	console.error(`Missing: ${missing.map(({ file }) => file).join(", ")}. Install ${REAL_PAGE_PACKAGES}.`);
	process.exit(1);
}

const pages = BENCH_PAGES.map((page) => {
	const html = readFileSync(page.file, "utf8");
	return {
		...page,
		html,
		url: `https://docs.example/${page.name}.html`,
		reference: prepareReference(html, page),
	};
});
console.error(
	`${pages.length} pages, ${Math.round(pages.reduce((sum, { html }) => sum + html.length, 0) / 1024)} KB of HTML`,
);

const rows = [];
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7) ?? "";
for (const { name, convert } of CONVERTERS.filter((converter) => converter.name.startsWith(only))) {
	await convert(pages[0].html, pages[0].url); // Loading libraries is not part of converting.
	const measured = [];
	let failed = 0;
	for (const page of pages) {
		const before = process.cpuUsage();
		let markdown = "";
		try {
			markdown = await convert(page.html, page.url);
		} catch (error) {
			failed += 1;
			console.error(`${name}: ${page.name}: ${error.message}`);
		}
		const { user, system } = process.cpuUsage(before);
		const result = {
			page: page.name,
			cpuMs: (user + system) / 1000,
			...measurePage(markdown, page.reference),
		};
		measured.push(result);
		if (process.argv.includes("--pages")) console.error(name, JSON.stringify(result));
	}
	rows.push({ name, failed, measured });
	console.error(`${name} done`);
}

const sum = (measured, field) => measured.reduce((total, entry) => total + entry[field], 0);
const share = (measured, kept, all) =>
	`${((100 * sum(measured, kept)) / Math.max(1, sum(measured, all))).toFixed(1)} %`;
console.log(
	"| Converter | Words kept | Links kept | Code blocks intact | Tables kept | Furniture let in | Output | CPU, all pages | Slowest page |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const { name, failed, measured } of rows) {
	const slowest = measured.reduce((worst, entry) => (entry.cpuMs > worst.cpuMs ? entry : worst));
	const cells = [
		failed > 0 ? `${name} (${failed} failed)` : name,
		share(measured, "wordsKept", "words"),
		share(measured, "linksKept", "links"),
		share(measured, "codeKept", "code"),
		share(measured, "tablesKept", "tables"),
		share(measured, "furnitureKept", "furniture"),
		`${Math.round(sum(measured, "chars") / 1000)} k chars`,
		`${(sum(measured, "cpuMs") / 1000).toFixed(1)} s`,
		`${Math.round(slowest.cpuMs)} ms (${slowest.page})`,
	];
	console.log(`| ${cells.join(" | ")} |`);
}
