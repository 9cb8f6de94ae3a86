import {
	chmodSync,
	chownSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/contract/limits.ts";
import { checkSessionFile } from "../../../src/sessions/check-session-file.ts";
import { makeFilePrivate } from "../../../src/sessions/make-file-private.ts";

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "session-file-"));
	file = join(directory, "session.jsonl");
});
afterEach(() => {
	vi.restoreAllMocks();
	rmSync(directory, { recursive: true, force: true });
});

const uid = process.getuid?.() ?? 0;
const header = (change: Record<string, unknown> = {}): string =>
	`${JSON.stringify({ type: "session", id: "s", cwd: directory, ...change })}\n`;
const check = (runtime: "pi" | "loop" = "pi"): void => checkSessionFile(file, { cwd: directory, runtime });
/** The file is then somebody else's, for every user who runs this. */
const becomeSomebodyElse = (): void => void vi.spyOn(process, "getuid").mockReturnValue(uid + 1);

describe("a session file is resumed", () => {
	it.each([
		["of pi, which does not name itself", header, "pi"],
		["of the loop", () => header({ runtime: "loop" }), "loop"],
		["with a torn last line", () => `${header()}{"type":"mess`, "pi"],
		["with nothing but a header that has no line break", () => header().trimEnd(), "pi"],
	] as const)("%s", (_name, content, runtime) => {
		writeFileSync(file, content());
		expect(() => check(runtime)).not.toThrow();
	});
	it("of exactly the size a session may have", () => {
		writeFileSync(file, header());
		truncateSync(file, LIMITS.maxSessionFileBytes);
		expect(() => check()).not.toThrow();
	});
});

describe("a session file is refused", () => {
	it.each<[string, () => void, string]>([
		[
			"that is a link",
			() => {
				writeFileSync(join(directory, "real"), header());
				symlinkSync(join(directory, "real"), file);
			},
			"it is a symbolic link",
		],
		["that is a directory", () => mkdirSync(file), "it is not a regular file"],
		[
			"of another user",
			() => {
				writeFileSync(file, header());
				becomeSomebodyElse();
			},
			"it belongs to another user",
		],
		[
			"that is too large",
			() => {
				writeFileSync(file, header());
				truncateSync(file, LIMITS.maxSessionFileBytes + 1);
			},
			`its ${LIMITS.maxSessionFileBytes + 1} bytes are more than the ${LIMITS.maxSessionFileBytes} a session may have`,
		],
		["that is empty", () => writeFileSync(file, ""), "its first line cannot be read as a session header"],
		[
			"with another type",
			() => writeFileSync(file, header({ type: "message" })),
			"its first line cannot be read as a session header",
		],
		[
			"without an id",
			() => writeFileSync(file, header({ id: 1 })),
			"its first line cannot be read as a session header",
		],
		[
			"without a directory",
			() => writeFileSync(file, header({ cwd: null })),
			"its first line cannot be read as a session header",
		],
		[
			"of another directory",
			() => writeFileSync(file, header({ cwd: "/elsewhere" })),
			'it was made for "/elsewhere", not for this directory',
		],
		[
			"of another runtime",
			() => writeFileSync(file, header({ runtime: "loop" })),
			"it was made by the runtime loop, not by pi. Continue it with the runtime loop (on the command line --runtime loop)",
		],
	])("%s", (_name, make, reason) => {
		make();
		expect(() => check()).toThrow(
			`The session file ${file} was not resumed: ${reason}. Leave the session id out to start a new session.`,
		);
	});

	it.runIf(uid === 0)("that root was given by somebody else", () => {
		writeFileSync(file, header());
		chownSync(file, 65534, 65534);
		expect(() => check()).toThrow("it belongs to another user");
	});
});

describe("a file is made private", () => {
	const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
	beforeEach(() => {
		writeFileSync(file, "x");
		chmodSync(file, 0o644);
	});

	it("when it is a regular file of this user", () => {
		makeFilePrivate(file);
		expect(modeOf(file)).toBe("600");
	});
	it("not when it is somebody else's", () => {
		becomeSomebodyElse();
		makeFilePrivate(file);
		expect(modeOf(file)).toBe("644");
	});
	it("not when it has another name, which may be a file the child should not change", () => {
		linkSync(file, join(directory, "other"));
		makeFilePrivate(file);
		expect(modeOf(file)).toBe("644");
	});
	it("not through a link", () => {
		const link = join(directory, "link");
		symlinkSync(file, link);
		makeFilePrivate(link);
		expect(modeOf(file)).toBe("644");
	});
});
