import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal } from "../../src/journal/read-journal.ts";
import {
	finalize,
	modelsFile,
	SCRIPTED,
	type ScriptedProvider,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

const PDF = readFileSync(join(import.meta.dirname, "../../packages/documents/fixtures/groff-memo.pdf"));
const page = (title: string, text: string): string =>
	`<!doctype html><title>${title}</title><nav>Home | About</nav><main><h1>${title}</h1><p>${`${text} `.repeat(20)}</p><pre>npm install kettle</pre></main>`;

let home: TestHome;
let site: Server;
let origin: string;
let provider: ScriptedProvider | undefined;

beforeEach(async () => {
	home = createTestHome();
	site = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://x");
		const results = ["one", "two"].map((name) => ({
			title: `Page ${name}`,
			url: `${origin}/${name}`,
			content: `about ${name}`,
		}));
		const answers: Record<string, [string, string | Buffer]> = {
			"/search": ["application/json", JSON.stringify({ query: "kettle", results })],
			"/one": ["text/html; charset=utf-8", page("Kettle guide", "The kettle boils at one hundred degrees.")],
			"/two": ["text/html; charset=utf-8", page("Kettle reference", "The lid must be closed.")],
			"/memo.pdf": ["application/pdf", PDF],
		};
		const [type, body] = answers[pathname] ?? ["text/plain", "nothing here"];
		response.writeHead(pathname in answers ? 200 : 404, { "content-type": type });
		response.end(body);
	});
	await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
	origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
	await provider?.close();
	site.closeAllConnections();
	await new Promise((resolve) => site.close(resolve));
	const left = listRunDirectories(home.agentDirectory);
	home.remove();
	expect(left).toEqual([]);
});

async function setUp(
	allowPrivateNetwork: boolean,
	calls: readonly { name: string; args: Record<string, unknown> }[],
) {
	provider = await startScriptedProvider([
		...calls.map((call) => ({ calls: [call] })),
		finalize(`Kettles boil at 100 degrees. Sources: ${origin}/one, ${origin}/two, ${origin}/memo.pdf`),
	]);
	home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
	home.write(
		join(home.agentDirectory, "deputize.json"),
		JSON.stringify({
			web: { allowPrivateNetwork, provider: "searxng", searxng: { baseUrl: origin } },
			convert: { allowPrivateNetwork },
		}),
	);
	return { cwd: home.project, env: home.env, ...SCRIPTED };
}

describe("researcher", () => {
	it("searches, fetches two pages, converts a PDF and hands over with sources, in a real pi child", async () => {
		const options = await setUp(true, [
			{ name: "web_search", args: { query: "kettle" } },
			{ name: "fetch_content", args: { urls: [`${origin}/one`, `${origin}/two`] } },
			{ name: "convert_content", args: { url: `${origin}/memo.pdf` } },
		]);
		const result = await delegate({ agent: "researcher", task: "How do kettles work?" }, options);
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.output).toContain(`${origin}/memo.pdf`);
		const conversation = provider?.requests().at(-1) ?? "";
		expect(conversation).toContain("Page two");
		expect(conversation).toContain("The kettle boils at one hundred degrees.");
		expect(conversation).toContain("npm install kettle");
		expect(conversation).not.toContain("Home | About");
		expect(conversation).toContain("Page 1 of");
		const noted = readJournal(home.agentDirectory).map(({ kind, name, ok }) => `${kind} ${name} ${ok}`);
		expect(noted).toEqual([
			"subagent researcher true",
			"convert convert_content true",
			"web fetch_content true",
			"web web_search true",
		]);
	});

	it("cannot be sent to an address of this machine or network", async () => {
		const options = await setUp(false, [
			{ name: "fetch_content", args: { url: `${origin}/one` } },
			{ name: "convert_content", args: { url: "http://169.254.169.254/latest/meta-data" } },
		]);
		await delegate({ agent: "researcher", task: "Fetch the metadata" }, options);
		const conversation = provider?.requests().at(-1) ?? "";
		expect(conversation.match(/PRIVATE_NETWORK_BLOCKED/g)?.length).toBeGreaterThanOrEqual(2);
		expect(conversation).not.toContain("one hundred degrees");
	});
});
