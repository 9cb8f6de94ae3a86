import { randomBytes } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { DelegationResult } from "../../../../src/contract/result.ts";
import { createProgress } from "../../../../src/hosts/cli/show-progress.ts";

const refused = {
	details: { results: [], error: { code: "UNKNOWN_AGENT" } },
	isError: true,
} as unknown as DelegationResult;

function open(agent: string, screen: { isTTY?: boolean; columns?: number } = {}) {
	const written: string[] = [];
	const stream = { ...screen, write: (text: string) => written.push(text) };
	return { progress: createProgress({ agent, stream, quiet: false, now: () => 0 }), written };
}

describe("createProgress", () => {
	it.each([{}, { isTTY: true, columns: 80 }])(
		"shows no secret and obeys no sequence in a name: %j",
		(screen) => {
			const secret = `sk-proj-${randomBytes(24).toString("hex")}`;
			const { progress, written } = open(`no\x1b]0;title\x07body\r\n${secret}`, screen);
			progress.note(`about ${secret}`);
			progress.finish(refused);
			expect(written.at(-1)).toBe("✗ nobody [REDACTED]: UNKNOWN_AGENT\n");
			expect(written.join("")).not.toContain(secret);
			expect(written.join("")).not.toContain("title");
		},
	);

	it("leaves the terminal to a question until it is answered", async () => {
		vi.useFakeTimers();
		try {
			const { progress, written } = open("explorer", { isTTY: true, columns: 80 });
			const answer = await progress.stepAside(async () => {
				written.length = 0;
				vi.advanceTimersByTime(5000);
				return written.join("");
			});
			expect(answer).toBe("");
			vi.advanceTimersByTime(300);
			expect(written.join("")).toContain("● explorer");
			progress.clear();
		} finally {
			vi.useRealTimers();
		}
	});

	it("draws for a usual width on a terminal that says it has no columns", () => {
		const { progress, written } = open("explorer", { isTTY: true, columns: 0 });
		progress.clear();
		expect(written[0]).toContain("● explorer · starting · 0.0 s\n");
	});
});
