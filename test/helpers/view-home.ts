import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RedactedText } from "../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../src/contract/usage.ts";
import { noteBatch } from "../../src/journal/known-batches.ts";
import { noteRun, toStart } from "./noted-runs.ts";
import { createTestHome, type TestHome } from "./test-home.ts";

const text = (value: string) => value as RedactedText;
const SESSION = "8a6c1f52-4d0b-4a7e-9d3c-2f5e6a7b8c9d";

/** A home with runs of every kind, two batches, and transcripts: what screens are made of. */
export function createViewHome(): TestHome {
	const home = createTestHome();
	const { agentDirectory } = home;
	const minute = (count: number) => new Date(Date.UTC(2026, 10, 15, 9, count)).toISOString();
	const shop = { cwd: "~/code/shop", parent: `pi:${SESSION}`, model: "anthropic/claude-sonnet-4-5" };
	noteExplorer(home, "3f2a91c0", minute(30), shop);
	noteExplorer(home, "5b7d02e4", minute(12), { ...shop, model: "anthropic/claude-haiku-4-5" });
	noteRun(
		agentDirectory,
		toStart("9c41d7aa", {
			...shop,
			time: minute(29),
			name: "reviewer",
			summary: text("Review the error handling in src/server.ts"),
		}),
	).end({ durationMs: 48_300, usage: { ...NO_USAGE, input: 41_000, output: 1900, cost: 0.152, turns: 7 } });
	noteRun(
		agentDirectory,
		toStart("e0b85f13", {
			...shop,
			time: minute(28),
			name: "tester",
			summary: text("Which tests cover the checkout?"),
		}),
	).end({
		ok: false,
		code: "SUBAGENT_TIMEOUT",
		cause: "idle",
		summary: text(
			"The run was silent for 3 minutes and was stopped. Raise subagents.idleTimeoutMs to allow more.",
		),
		durationMs: 212_000,
		usage: { ...NO_USAGE, input: 12_000, output: 300, cost: 0.041, turns: 3 },
	});
	noteRun(
		agentDirectory,
		toStart("17aa6e02", {
			cwd: "~/code/site",
			time: minute(25),
			name: "researcher",
			model: "openai/gpt-5-mini",
			summary: text("What changed in HTTP/3 prioritization since RFC 9218?"),
		}),
	).end({
		durationMs: 91_000,
		usage: { ...NO_USAGE, input: 88_000, output: 2400, cacheRead: 120_000, cost: 0.084, turns: 11 },
	});
	noteRun(
		agentDirectory,
		toStart("b3c9d8e1", {
			cwd: "~/code/site",
			time: minute(20),
			summary: text("Where is the sitemap built?"),
			model: "offline/navigator",
		}),
	).end({ durationMs: 640, usage: { ...NO_USAGE, turns: 4 } });
	noteRun(
		agentDirectory,
		toStart("c4d0a9b7", { cwd: "~/code/site", time: minute(18), summary: text("List every feature flag") }),
	).end({
		ok: false,
		cause: "cancelled",
		code: "SUBAGENT_FAILED",
		summary: text("The run was cancelled."),
		durationMs: 5100,
	});
	noteRun(
		agentDirectory,
		toStart("d5e1bac8", {
			cwd: "~/code/shop",
			time: minute(17),
			name: "implementer",
			summary: text("Plan the move to the new payment API"),
			process: { pid: 2 ** 22 + 1, startTime: 1, host: toStart("x").process.host },
		}),
	);
	noteReviews(home, minute);
	return home;
}

function noteExplorer(home: TestHome, runId: string, time: string, place: { readonly model: string }): void {
	const at = (seconds: number) => Date.parse(time) + seconds * 1000;
	const line = (seconds: number, message: object) =>
		JSON.stringify({ type: "message", timestamp: new Date(at(seconds)).toISOString(), message });
	const usage = (input: number, output: number, cost: number) => ({
		...NO_USAGE,
		input,
		output,
		cost,
		turns: 1,
	});
	const matches =
		'src/server.ts:41:\tapp.use(authenticate({ realm: "shop" }));\nsrc/admin/routes.ts:12:\trouter.use(requireRole("admin"));';
	const file =
		'41\tapp.use(authenticate({ realm: "shop" }));\n42\tapp.use("/api", api);\n43\tapp.use("/admin", requireRole("admin"), admin);';
	const session = home.write(
		`sessions/${runId}.jsonl`,
		[
			line(2.4, {
				role: "assistant",
				content: [
					{
						type: "thinking",
						thinking:
							"Middleware is registered where the server is built. I look for app.use and router.use first.",
					},
				],
			}),
			line(2.9, { role: "toolResult", toolCallId: "1", content: [{ type: "text", text: matches }] }),
			line(3.1, {
				role: "toolResult",
				toolCallId: "2",
				content: [{ type: "text", text: "src/middleware/authenticate.ts\nsrc/middleware/require-role.ts" }],
			}),
			line(6.2, { role: "toolResult", toolCallId: "3", content: [{ type: "text", text: file }] }),
		].join("\n"),
	);
	const run = noteRun(
		home.agentDirectory,
		toStart(runId, {
			...place,
			time,
			summary: text("Where is authentication middleware registered, and in which order?"),
		}),
		session,
	);
	const { model } = place;
	run.write({ type: "turn", at: at(0.4) });
	run.write({
		type: "message",
		at: at(2.4),
		model,
		text: text("I look for the places where middleware is registered."),
		usage: usage(2100, 140, 0.009),
	});
	run.write({
		type: "call",
		at: at(2.4),
		id: "1",
		name: "grep",
		args: { pattern: "\\.use\\(", path: "src" },
	});
	run.write({ type: "call", at: at(2.4), id: "2", name: "find", args: { pattern: "**/middleware/*.ts" } });
	run.write({ type: "result", at: at(2.9), id: "1", isError: false });
	run.write({ type: "result", at: at(3.1), id: "2", isError: false });
	run.write({ type: "message", at: at(5.8), model, text: text(""), usage: usage(2900, 90, 0.01) });
	run.write({
		type: "call",
		at: at(5.8),
		id: "3",
		name: "read",
		args: { path: "src/server.ts", offset: 41, limit: 20 },
	});
	run.write({ type: "result", at: at(6.2), id: "3", isError: false });
	run.write({
		type: "call",
		at: at(6.3),
		id: "4",
		name: "lsp",
		args: { action: "references", file: "src/middleware/authenticate.ts" },
	});
	run.write({ type: "result", at: at(7.8), id: "4", isError: true });
	run.write({ type: "correction", at: at(10.2) });
	run.write({
		type: "message",
		at: at(12.6),
		model,
		text: text(
			'Authentication runs first, for everything: app.use(authenticate(…)) in src/server.ts:41.\nThe admin routes then add requireRole("admin"): src/server.ts:43 and src/admin/routes.ts:12.',
		),
		usage: usage(3600, 260, 0.014),
	});
	run.end(
		{
			durationMs: runId.startsWith("5") ? 12_700 : 12_900,
			usage: { ...NO_USAGE, input: 8600, output: 490, cost: runId.startsWith("5") ? 0.011 : 0.033, turns: 3 },
		},
		"Authentication is registered once, first, in src/server.ts:41. Admin routes add requireRole: src/server.ts:43, src/admin/routes.ts:12.",
	);
}

function noteReviews(home: TestHome, minute: (count: number) => string): void {
	const ids = ["2c5d", "7e8f"].map((part) => `${part}0000-0000-4000-8000-000000000000`);
	for (const [index, [name, total, finished]] of (
		[
			["review.jsonl", 120, 96],
			["questions.jsonl", 40, 40],
		] as const
	).entries()) {
		const output = join(home.home, "code", "shop", name);
		const lines = Array.from({ length: finished }, (_, task) => {
			const failed = task % 17 === 5;
			return JSON.stringify({
				id: `src/module-${task}.ts`,
				key: `key${task}`,
				agent: "reviewer",
				status: failed ? "failed" : "done",
				...(failed
					? {
							error: {
								code: "SUBAGENT_FAILED",
								message: "The provider failed: 529 overloaded.",
								cause: { kind: task % 2 ? "overloaded" : "runtime" },
							},
						}
					: { answer: `No findings in module ${task}; the error path of load() is covered.` }),
				usage: { input: 900, output: 80, cacheRead: 0, cacheWrite: 0, turns: 2 },
				costUsd: 0.0125,
				durationMs: 8000 + task * 137,
				model: "anthropic/claude-haiku-4-5",
			});
		});
		mkdirSync(dirname(output), { recursive: true });
		writeFileSync(output, `${lines.join("\n")}\n`);
		writeFileSync(
			`${output}.state.json`,
			JSON.stringify({
				...{ version: 1, id: ids[index], lane: "embedded", total, startedAt: "2026-01-02T03:04:05.000Z" },
				about: {
					template: index === 0 ? "Review {path}" : "{question}",
					agents: ["reviewer"],
					models: ["anthropic/claude-haiku-4-5"],
				},
			}),
		);
		noteBatch(home.agentDirectory, { id: ids[index] ?? "", output, time: minute(index) });
	}
}
