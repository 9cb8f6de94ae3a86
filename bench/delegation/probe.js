import { writeFileSync } from "node:fs";

// Loaded in every variant: notes how long each tool call takes, and how much memory the parent took.
export default function (pi) {
	const started = new Map();
	const toolMs = [];
	pi.on("tool_execution_start", ({ toolCallId }) => {
		started.set(toolCallId, performance.now());
	});
	pi.on("tool_execution_end", ({ toolCallId }) => {
		toolMs.push(performance.now() - (started.get(toolCallId) ?? Number.NaN));
	});
	pi.on("session_shutdown", () => {
		const facts = { toolMs, maxRssMb: process.resourceUsage().maxRSS / 1024 };
		writeFileSync(process.env.BENCH_PROBE_FILE, JSON.stringify(facts));
	});
}
