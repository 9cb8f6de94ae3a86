import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientDriver } from "./client-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/clients.md");

/** With `--write`, replaces what the page has between the marks of this command; always prints it. */
export function showPart(command: string, lines: readonly string[]): void {
	const text = lines.join("\n");
	console.log(text);
	if (!process.argv.includes("--write")) return;
	const [begin, end] = [`<!-- made by npm run ${command} -->\n`, "\n<!-- end -->"];
	const page = readFileSync(PAGE, "utf8");
	const from = page.indexOf(begin) + begin.length;
	const to = page.indexOf(end, from);
	if (from < begin.length || to < 0) throw new Error(`${PAGE} has no part for ${command}`);
	writeFileSync(PAGE, page.slice(0, from) + text + page.slice(to));
}

export function readVersion(driver: ClientDriver): string {
	const manifest = join(ROOT, "test/peers", driver.package, "package.json");
	return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

export const toTitle = (driver: ClientDriver): string => `${driver.title} ${readVersion(driver)}`;
