import { describe, expect, it } from "vitest";
import { isInside } from "../../paths/is-inside.ts";

describe("isInside", () => {
	it.each([
		["/home/u/.ssh", "/home/u/.ssh"],
		["/home/u/.ssh", "/home/u/.ssh/id_rsa"],
		["/home/u/.ssh", "/home/u/.ssh/..backup/id_rsa"],
		["/home/u/.ssh", "/home/u/.ssh/..id_rsa"],
		["/home/u", "/home/u/a/../b"],
		["/", "/etc/passwd"],
		["/srv/", "/srv/a"],
	])("%s contains %s", (directory, path) => {
		expect(isInside(directory, path)).toBe(true);
	});

	it.each([
		["/home/u/.ssh", "/home/u/.ssh2"],
		["/home/u/.ssh", "/home/u"],
		["/home/u/.ssh", "/home/u/.ssh/../key"],
		["/home/u", "/home"],
		["/home/u", "/etc"],
		["/srv/a", "/srv/ab/c"],
	])("%s does not contain %s", (directory, path) => {
		expect(isInside(directory, path)).toBe(false);
	});
});
