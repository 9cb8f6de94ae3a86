import { posix } from "node:path";
import { readOptionalXml } from "../xml/read-xml-part.ts";
import { descendants } from "../xml/xml-element.ts";
import type { Archive } from "../zip/open-archive.ts";
import { PRESENTATION } from "./namespaces.ts";

export interface Relationship {
	/** The last word of the type's address: `slide`, `hyperlink`, `notesSlide`, … */
	readonly kind: string;
	/** The name of a part, or an address outside the file. */
	readonly target: string;
	readonly external: boolean;
}

/** What a part refers to, by id. */
export function readRelationships(archive: Archive, part: string): Map<string, Relationship> {
	const folder = posix.dirname(part);
	const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
	const root = readOptionalXml(archive, name, PRESENTATION);
	return new Map(
		descendants(root, "rel:Relationship").map(({ attributes }) => {
			const external = attributes["TargetMode"] === "External";
			const target = attributes["Target"] ?? "";
			return [
				attributes["Id"] ?? "",
				{
					kind: (attributes["Type"] ?? "").split("/").pop() ?? "",
					external,
					target: external ? target : resolvePart(folder, target),
				},
			];
		}),
	);
}

function resolvePart(folder: string, target: string): string {
	return target.startsWith("/") ? target.slice(1) : posix.join(folder, target);
}
