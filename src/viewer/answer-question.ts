import type { RunState } from "../runs/run-summary.ts";
import type { PageAssets } from "./page-assets.ts";
import { renderExport } from "./render-document.ts";
import type { ViewData } from "./view-data.ts";

interface Reply {
	readonly type: string;
	readonly body: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What the page asks for; undefined when there is no such thing. */
export async function answerQuestion(
	path: string,
	parameters: URLSearchParams,
	data: ViewData,
	assets: PageAssets,
): Promise<Reply | undefined> {
	const [room, name, id] = path.split("/");
	const text = (field: string): string | undefined => parameters.get(field) || undefined;
	const page = Number.parseInt(parameters.get("page") ?? "", 10) || 0;
	if (room === "export" && name?.endsWith(".html"))
		return exportRun(name.slice(0, -".html".length), data, assets);
	if (room !== "api") return undefined;
	switch (name) {
		case "runs":
			return toJson(
				data.runs({
					...{ agent: text("agent"), model: text("model"), project: text("project"), batch: text("batch") },
					...{
						parent: text("parent"),
						text: text("text"),
						sort: text("sort"),
						page,
						single: parameters.has("single"),
					},
					state: text("state") as RunState | undefined,
				}),
			);
		case "run":
			return toJson(await data.run(id ?? ""));
		case "batches":
			return toJson(await data.batches());
		case "batch":
			return toJson(
				await data.batch(id ?? "", {
					page,
					text: text("text"),
					status: text("status") as "done" | "failed" | undefined,
				}),
			);
		case "spending":
			return toJson(data.spending());
		default:
			return undefined;
	}
}

function toJson(value: unknown): Reply | undefined {
	return value === undefined ? undefined : { type: "application/json", body: JSON.stringify(value) };
}

async function exportRun(runId: string, data: ViewData, assets: PageAssets): Promise<Reply | undefined> {
	const run = await data.run(runId);
	if (run === undefined) return undefined;
	const name = `${run.agent}-${run.runId}.html`.replace(/[^\w.-]/g, "");
	const headers = { "Content-Disposition": `attachment; filename="${name}"` };
	return { type: "text/html", body: renderExport(run, assets), headers };
}
