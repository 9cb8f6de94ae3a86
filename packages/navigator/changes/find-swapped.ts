import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { findUses } from "../find-uses.ts";
import type { LineFinding } from "./check-added-lines.ts";
import { compareSides } from "./compare-sides.ts";
import { listArguments, listParameters } from "./list-arguments.ts";
import type { ChangedFile } from "./parse-diff.ts";

const MAX_CALLS = 20;
const SIMPLE_NAME = /^[A-Za-z_$][\w$]*$/;

/** New calls that hand over two names as each other's parameters. */
export function findSwapped(index: CodeIndex, files: readonly ChangedFile[]): LineFinding[] {
	return files
		.filter(({ path, isDeleted }) => !isDeleted && classifyPath(path) !== "document")
		.flatMap((file) => {
			const { text, facts, changedLine } = compareSides(index, file).after;
			return (facts?.calls ?? []).flatMap(({ name, line, end }) => {
				const given = changedLine(line) === undefined ? undefined : listArguments(text, end);
				const names = given?.filter((argument) => SIMPLE_NAME.test(argument)) ?? [];
				return given === undefined || names.length < 2
					? []
					: [
							{
								name,
								given,
								path: file.path,
								line: changedLine(line) ?? line,
								text: text.split("\n")[line - 1] ?? "",
							},
						];
			});
		})
		.slice(0, MAX_CALLS)
		.flatMap(({ name, given, ...place }) => {
			const wanted = findParameters(index, name);
			const isSwapped = given.some((argument, at) => {
				const other = wanted.indexOf(argument);
				return SIMPLE_NAME.test(argument) && other !== -1 && other !== at && given[other] === wanted[at];
			});
			return isSwapped
				? [
						{
							...place,
							reason: `\`${name}\` takes ${wanted.map((each) => `\`${each}\``).join(", ")} in this order`,
						},
					]
				: [];
		});
}

/** Of a function that is defined once. */
function findParameters(index: CodeIndex, name: string): readonly string[] {
	const [definition, ...others] = findUses(index, name).filter(({ kind }) => kind === "definition");
	if (definition === undefined || others.length > 0) return [];
	const text = index.files.find(({ path }) => path === definition.path)?.text ?? "";
	return listParameters(text, definition.start + name.length)?.names ?? [];
}
