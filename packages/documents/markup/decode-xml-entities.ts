const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY = /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/g;
const HIGHEST_CODE_POINT = 0x10ffff;

/** The five names of XML and numbers. Anything else stays as it is written. */
export function decodeXmlEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
		if (name) return NAMED[name] ?? whole;
		const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= HIGHEST_CODE_POINT ? String.fromCodePoint(code) : whole;
	});
}
