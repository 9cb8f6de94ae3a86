import { decodeText } from "@deputize/ground";
import { renderOfficeMath } from "./render-office-math.ts";

const FORMULA = /<m:oMath(?:\s[^>]*)?>[\s\S]*?<\/m:oMath>/g;
const DISPLAY_WRAPPER = /<\/?m:oMathPara(?:\s[^>]*)?>|<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>/g;
/** A noncharacter on each side of the number, so that no text of the document can be taken for a placeholder. */
const PLACEHOLDER = /\uFDD5(\d+)\uFDD5/g;

/**
 * The Word library silently drops formulas. They are extracted as TeX before that, with a placeholder in their
 * place, and put back into the finished Markdown, where nothing escapes them any more.
 */
export function takeOutFormulas(xml: Buffer, formulas: string[]): Buffer {
	if (!xml.includes("<m:oMath")) return xml;
	const text = decodeText(xml)
		.text.replace(/\uFDD5/g, "")
		.replace(DISPLAY_WRAPPER, "");
	return Buffer.from(
		text.replace(FORMULA, (formula) => {
			formulas.push(renderOfficeMath(formula));
			return `<w:r><w:t>\uFDD5${formulas.length - 1}\uFDD5</w:t></w:r>`;
		}),
		"utf8",
	);
}

export function restoreFormulas(markdown: string, formulas: readonly string[]): string {
	return markdown.replace(PLACEHOLDER, (_, index: string) => {
		const formula = formulas[Number(index)];
		return formula ? `$${formula}$` : "";
	});
}
