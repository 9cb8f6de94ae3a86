import { decodeText } from "../decode-text.ts";
import { renderOfficeMath } from "./render-office-math.ts";

const FORMULA = /<m:oMath(?:\s[^>]*)?>[\s\S]*?<\/m:oMath>/g;

/** Puts formulas into the text as TeX; the Word library would drop them without a word. */
export function replaceWordMath(xml: Buffer): Buffer {
	if (!xml.includes("<m:oMath")) return xml;
	const text = decodeText(xml).text.replace(
		/<\/?m:oMathPara(?:\s[^>]*)?>|<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>/g,
		"",
	);
	return Buffer.from(
		text.replace(FORMULA, (formula) => {
			const tex = renderOfficeMath(formula).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
			// `code` protects the formula from Markdown escapes; the dollar signs say what it is.
			return `<w:r><w:rPr><w:rStyle w:val="VerbatimChar"/></w:rPr><w:t xml:space="preserve">$${tex}$</w:t></w:r>`;
		}),
		"utf8",
	);
}
