import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { walkMarkup } from "../markup/walk-markup.ts";

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
	/** Undefined for what is around the first element. */
	readonly parent: OpenElement | undefined;
	readonly depth: number;
}

/**
 * A tree of elements and text, bounded in depth and number. It reads no DTD: a document that declares entities
 * is refused, so nothing can expand. It is forgiving about everything that does no harm (no validation).
 */
export function parseXml(source: string, prefixes: NamespacePrefixes = {}): XmlElement {
	const root: XmlElement = { name: "", attributes: {}, children: [] };
	let top: OpenElement = { rawName: "", element: root, scope: new Map(), parent: undefined, depth: 1 };
	let elements = 0;

	function open(rawName: string, attributes: ReadonlyMap<string, string>, isEmpty: boolean): void {
		elements += 1;
		if (elements > CONVERSION_LIMITS.maxXmlElements)
			throw unsafe(
				`The document has more than ${CONVERSION_LIMITS.maxXmlElements} XML elements; it is not read.`,
			);
		const scope = extendScope(top.scope, attributes, prefixes);
		const element = toElement(rawName, attributes, scope);
		top.element.children.push(element);
		if (isEmpty) return;
		top = { rawName, element, scope, parent: top, depth: top.depth + 1 };
		if (top.depth > CONVERSION_LIMITS.maxXmlDepth)
			throw unsafe(
				`The document nests XML elements deeper than ${CONVERSION_LIMITS.maxXmlDepth}; it is not read.`,
			);
	}

	function close(rawName: string): void {
		if (!top.parent || top.rawName !== rawName)
			throw damaged(`The XML is damaged: </${rawName}> closes <${top.rawName}>.`);
		top = top.parent;
	}

	walkMarkup(
		source,
		{
			open,
			close,
			// Outside of the first element there is only white space, and what is left of a DOCTYPE.
			text: (text) => void (top.parent && top.element.children.push(text)),
			declaration: refuseEntities,
		},
		{ xml: true },
	);
	if (top.parent) throw damaged(`The XML is cut off: <${top.rawName}> never ends.`);
	if (elements === 0 && source !== "") throw damaged("The XML is cut off before its first element ends.");
	return root;
}

function refuseEntities(declaration: string): void {
	if (/^ENTITY|<!ENTITY/.test(declaration))
		throw unsafe("The document declares XML entities of its own, as entity bombs do; it is not read.");
}

function toElement(rawName: string, attributes: ReadonlyMap<string, string>, scope: Scope): XmlElement {
	// Without the names that every object has.
	const known = Object.create(null) as Record<string, string>;
	for (const [name, value] of attributes) known[resolveName(name, scope, false)] = value;
	return { name: resolveName(rawName, scope, true), attributes: known, children: [] };
}

function extendScope(
	scope: Scope,
	attributes: ReadonlyMap<string, string>,
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
