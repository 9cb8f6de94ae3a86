// Names every top-level function of src/ that is declared in a third file, and all that are declared twice once there
// are too many of them. Two rooms may each have a private verb of the same name, but most such pairs are one thing written
// twice, or two things that deserve names of their own; copies drift apart. What two rooms need moves down a floor
// (see the ground floor in AGENTS.md).
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Private verbs that mean something else in each file, with the reason why they may stay. */
const ALLOWED = {};

const MOST_FILES = 2;
/** Names that may be declared twice, all together. It was 160 once; each of them was a place to look. */
const MOST_PAIRS = 0;

/** The names of functions declared at the top level of a file, however they are written. */
function listFunctions(file) {
	const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
	return source.statements.flatMap((statement) => {
		if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
		if (!ts.isVariableStatement(statement)) return [];
		return statement.declarationList.declarations
			.filter(({ initializer }) => initializer && isFunction(initializer))
			.map(({ name }) => name.getText(source));
	});
}

function isFunction(node) {
	return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** Of the packages only what is shipped: neither tests nor benches. */
const OTHERS = ["packages/*/{test,bench,fixtures,node_modules}/**"];

const files = globSync(["src/**/*.ts", "packages/**/*.ts"], { exclude: OTHERS }).filter(
	(file) => !file.endsWith(".d.ts"),
);
const places = new Map();
for (const file of files) {
	for (const name of new Set(listFunctions(file))) places.set(name, [...(places.get(name) ?? []), file]);
}
const repeated = [...places].filter(([, where]) => where.length > MOST_FILES);
const twins = repeated.filter(([name]) => !(name in ALLOWED));
const stale = Object.keys(ALLOWED).filter((name) => (places.get(name)?.length ?? 0) <= MOST_FILES);

for (const [name, where] of twins)
	console.error(`twins: ${name} is declared in ${where.length} files: ${where.join(", ")}`);
for (const name of stale)
	console.error(
		`twins: ${name} is allowed but no longer needs to be; remove it from scripts/check-twins.mjs`,
	);
if (files.length === 0) console.error("twins: no source file was read");
const pairs = [...places].filter(([, where]) => where.length > 1);
const isCrowded = pairs.length > MOST_PAIRS;
if (isCrowded) {
	for (const [name, where] of pairs) console.error(`twins: ${name}: ${where.join(", ")}`);
	console.error(
		`twins: ${pairs.length} names are declared twice, more than ${MOST_PAIRS}: merge what is the same, rename what is not`,
	);
}
process.exitCode = twins.length > 0 || stale.length > 0 || isCrowded || files.length === 0 ? 1 : 0;
if (process.exitCode === 0)
	console.log(`twins: ${files.length} files, ${pairs.length} of at most ${MOST_PAIRS} names declared twice`);
