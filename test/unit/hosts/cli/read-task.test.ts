import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/contract/limits.ts";
import { readTask } from "../../../../src/hosts/cli/read-task.ts";
import { UsageError } from "../../../../src/hosts/cli/usage-error.ts";

describe("readTask", () => {
	it("joins what is piped in, also where a letter is cut in two", async () => {
		const bytes = Buffer.from("Zoë");
		expect(
			await readTask(
				(async function* () {
					yield bytes.subarray(0, 3);
					yield bytes.subarray(3);
				})(),
			),
		).toBe("Zoë");
	});

	it("stops reading at the first piece that is too much", async () => {
		let pieces = 0;
		async function* endless() {
			for (;;) {
				pieces += 1;
				yield Buffer.alloc(1024 * 1024);
			}
		}
		await expect(readTask(endless())).rejects.toThrow(UsageError);
		expect(pieces).toBe(LIMITS.maxTaskBytes / (1024 * 1024) + 1);
	});
});
