import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const HERE = "test/security";

/** A test that a table of test/security/README.md names. */
interface ListedTest {
	readonly file: string;
	/** Parts of its name, in their order. Empty: the file as a whole. */
	readonly parts: readonly string[];
}

/** Every file of attacks has a place in the list: one that was moved away, or forgotten there, is seen. */
export function listSecurityFiles(): readonly string[] {
	return readdirSync(join(ROOT, HERE))
		.filter((name) => name.endsWith(".test.ts"))
		.map((name) => `${HERE}/${name}`);
}

export function readSecurityList(
	text = readFileSync(join(ROOT, HERE, "README.md"), "utf8"),
): readonly ListedTest[] {
	return [...text.matchAll(/`([\w/.-]+)`((?:,? ?"[^"]+")*)/g)].flatMap(([, name = "", names = ""]) => {
		const file = toFile(name);
		if (file === undefined) return [];
		const quoted = [...names.matchAll(/"([^"]+)"/g)].map(([, one = ""]) => one);
		return quoted.length === 0
			? [{ file, parts: [] }]
			: quoted.map((one) => ({
					file,
					parts: one
						.split("…")
						.map((part) => part.trim())
						.filter(Boolean),
				}));
	});
}

/**
 * Undefined for what is no file of tests: a setting, a file that an attack is about. Whether a name is one is told by its
 * directory and not by what is there: the name of a file that was moved must not become a word.
 */
function toFile(name: string): string | undefined {
	if (name.startsWith("packages/")) return `${name}.test.ts`;
	return /^(?:unit|e2e|faults|security)\//.test(name) ? `test/${name}.test.ts` : undefined;
}

export interface RanFile {
	readonly file: string;
	readonly passed: number;
	/** Skipped without a reason that a user would accept. */
	readonly unexplained: readonly string[];
}

/** What did not run although it should have. */
export function findSilence(ran: readonly RanFile[], expected: readonly string[]): readonly string[] {
	const missing = expected.flatMap((file) => {
		const found = ran.find((one) => one.file === file);
		if (found === undefined) return [`${file} did not run`];
		return found.passed === 0 ? [`no test of ${file} ran`] : [];
	});
	const skipped = ran.flatMap(({ file, unexplained }) =>
		unexplained.map(
			(name) => `${file}: "${name}" was skipped, and test/helpers/skip-reasons.ts says no reason`,
		),
	);
	return [...missing, ...skipped];
}
