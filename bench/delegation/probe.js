import { writeFileSync } from "node:fs";

// Loaded in every variant: notes when the tool starts and ends, and how much memory the parent took.
export default function (pi) {
	const seen = {};
	const note = (name) => {
		seen[name] ??= performance.timeOrigin + performance.now();
	};
	pi.on("tool_execution_start", () => note("toolStart"));
	pi.on("tool_execution_end", () => note("toolEnd"));
	pi.on("session_shutdown", () => {
		const facts = { ...seen, maxRssMb: process.resourceUsage().maxRSS / 1024 };
		writeFileSync(process.env.BENCH_PROBE_FILE, JSON.stringify(facts));
	});
}
