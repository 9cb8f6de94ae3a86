import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { decodeXmlEntities } from "./decode-xml-entities.ts";
import { findTagEnd } from "./find-tag-end.ts";

export interface XmlElement {
	/** Prefix and local name, the prefix being ours for a known namespace, whatever the writer called it. */
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Namespace address to the prefix our readers use. */
export type NamespacePrefixes = Readonly<Record<string, string>>;

type Scope = ReadonlyMap<string, string>;

interface OpenElement {
	readonly rawName: string;
	readonly element: XmlElement;
	readonly scope: Scope;
}

const ATTRIBUTE = /([^\s=/"'<>]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/**
 * A tree of elements and text, bounded in depth and number. It reads no DTD: a document that declares entities
 * is refused, so nothing can expand. It is forgiving about everything that does no harm (no validation).
 */
export function parseXml(source: string, prefixes: NamespacePrefixes = {}): XmlElement {
	const root: XmlElement = { name: "", attributes: {}, children: [] };
	const stack: OpenElement[] = [{ rawName: "", element: root, scope: new Map() }];
	let elements = 0;
	let position = 0;
	while (position < source.length) {
		const open = source.indexOf("<", position);
		const top = stack[stack.length - 1];
		if (!top) break;
		addTextNode(top.element, source, position, open === -1 ? source.length : open);
		if (open === -1) break;
		const special = skipSpecial(source, open, top.element);
		if (special !== undefined) {
			position = special;
			continue;
		}
		const close = endOfTag(source, open);
		const tag = source.slice(open + 1, close);
		position = close + 1;
		if (tag.startsWith("/")) {
			closeElement(stack, tag.slice(1).trim());
			continue;
		}
		elements += 1;
		if (elements > CONVERSION_LIMITS.maxXmlElements)
			throw unsafe(
				`The document has more than ${CONVERSION_LIMITS.maxXmlElements} XML elements; it is not read.`,
			);
		openElement(stack, tag, prefixes);
	}
	if (stack.length > 1)
		throw damaged(`The XML is cut off: <${stack[stack.length - 1]?.rawName}> never ends.`);
	return root;
}

function addTextNode(parent: XmlElement, source: string, from: number, to: number): void {
	if (to > from) parent.children.push(decodeXmlEntities(source.slice(from, to)));
}

/** Comments, processing instructions, CDATA and DOCTYPE. Returns where to go on, or undefined for a tag. */
function skipSpecial(source: string, open: number, parent: XmlElement): number | undefined {
	if (source.startsWith("<!--", open)) return endOf(source, "-->", open + 4);
	if (source.startsWith("<?", open)) return endOf(source, "?>", open + 2);
	if (source.startsWith("<![CDATA[", open)) {
		const end = endOf(source, "]]>", open + 9);
		parent.children.push(source.slice(open + 9, end - 3));
		return end;
	}
	return source.startsWith("<!", open) ? skipDoctype(source, open) : undefined;
}

function endOf(source: string, mark: string, from: number): number {
	const end = source.indexOf(mark, from);
	if (end === -1) throw damaged(`The XML is cut off: "${mark}" is missing.`);
	return end + mark.length;
}

function skipDoctype(source: string, open: number): number {
	const end = endOf(source, ">", open);
	const subset = source.indexOf("[", open);
	if (subset === -1 || subset > end) return end;
	const after = /\]\s*>/g;
	after.lastIndex = subset;
	const match = after.exec(source);
	if (!match) throw damaged("The XML is cut off inside its DOCTYPE.");
	if (source.slice(subset, match.index).includes("<!ENTITY"))
		throw unsafe("The document declares XML entities of its own, as entity bombs do; it is not read.");
	return after.lastIndex;
}

function endOfTag(source: string, open: number): number {
	const end = findTagEnd(source, open);
	if (end === -1) throw damaged("The XML is cut off inside a tag.");
	return end;
}

function closeElement(stack: OpenElement[], rawName: string): void {
	const top = stack.pop();
	if (!top || stack.length === 0 || top.rawName !== rawName)
		throw damaged(`The XML is damaged: </${rawName}> closes <${top?.rawName ?? ""}>.`);
}

function openElement(stack: OpenElement[], tag: string, prefixes: NamespacePrefixes): void {
	const selfClosing = tag.endsWith("/");
	const body = selfClosing ? tag.slice(0, -1) : tag;
	const rawName = /^[^\s/]+/.exec(body)?.[0];
	if (!rawName) throw damaged("The XML is damaged: a tag has no name.");
	const parent = stack[stack.length - 1];
	if (!parent) return;
	const raw = readAttributes(body.slice(rawName.length));
	const scope = extendScope(parent.scope, raw, prefixes);
	const element: XmlElement = {
		name: resolveName(rawName, scope, true),
		attributes: Object.assign(
			Object.create(null) as Record<string, string>,
			Object.fromEntries(raw.map(([name, value]) => [resolveName(name, scope, false), value])),
		),
		children: [],
	};
	parent.element.children.push(element);
	if (selfClosing) return;
	stack.push({ rawName, element, scope });
	if (stack.length > CONVERSION_LIMITS.maxXmlDepth)
		throw unsafe(
			`The document nests XML elements deeper than ${CONVERSION_LIMITS.maxXmlDepth}; it is not read.`,
		);
}

function readAttributes(text: string): [string, string][] {
	if (!text.includes("=")) return [];
	return Array.from(text.matchAll(ATTRIBUTE), ([, name = "", double, single]) => [
		name,
		decodeXmlEntities(double ?? single ?? ""),
	]);
}

function extendScope(
	scope: Scope,
	attributes: readonly [string, string][],
	prefixes: NamespacePrefixes,
): Scope {
	let extended: Map<string, string> | undefined;
	for (const [name, value] of attributes) {
		if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
		extended ??= new Map(scope);
		const prefix = name.slice("xmlns:".length);
		extended.set(prefix, prefixes[value] ?? prefix);
	}
	return extended ?? scope;
}

function resolveName(rawName: string, scope: Scope, usesDefault: boolean): string {
	const colon = rawName.indexOf(":");
	if (colon === -1) {
		const prefix = usesDefault ? scope.get("") : undefined;
		return prefix ? `${prefix}:${rawName}` : rawName;
	}
	const prefix = rawName.slice(0, colon);
	return `${scope.get(prefix) ?? prefix}${rawName.slice(colon)}`;
}
