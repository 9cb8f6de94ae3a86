import { readFileSync } from "node:fs";
import ts from "typescript";

export interface SourceMessage {
	readonly file: string;
	/** The literal text, with … for every value. */
	readonly text: string;
}

/** Texts with which a delegation says no: of every `new DelegationError` and of the verdicts about a child. */
export function collectMessages(files: readonly string[]): readonly SourceMessage[] {
	return files.flatMap((file) => {
		const code = readFileSync(file, "utf8");
		if (!/DelegationError\(|failure\(/.test(code)) return [];
		const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
		const found: SourceMessage[] = [];
		const visit = (node: ts.Node): void => {
			const text = toText(findMessage(node));
			if (text !== undefined) found.push({ file, text });
			node.forEachChild(visit);
		};
		visit(source);
		return found;
	});
}

function findMessage(node: ts.Node): ts.Expression | undefined {
	if (ts.isNewExpression(node) && node.expression.getText() === "DelegationError") return node.arguments?.[1];
	const isVerdict =
		ts.isCallExpression(node) && node.expression.getText() === "failure" && node.arguments.length === 2;
	const parts = isVerdict ? node.arguments[1] : undefined;
	if (parts === undefined || !ts.isObjectLiteralExpression(parts)) return undefined;
	return parts.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === "message")
		?.initializer;
}

function toText(node: ts.Expression | undefined): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isBinaryExpression(node)) return toText(node.right);
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.templateSpans.reduce(
		(text, { expression, literal }) => `${text}${findConstant(expression) ?? "…"}${literal.text}`,
		node.head.text,
	);
}

/** The text of a constant of the same file. */
function findConstant(node: ts.Expression): string | undefined {
	const declared = node
		.getSourceFile()
		.statements.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => declarationList.declarations)
		.find(({ name }) => name.getText() === node.getText());
	return toText(declared?.initializer);
}
