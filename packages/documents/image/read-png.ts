import { damaged } from "../conversion-error.ts";
import type { ImageFacts } from "./image-facts.ts";
import { readExif } from "./read-exif.ts";

const COLOR_TYPES: Readonly<Record<number, string>> = {
	0: "greyscale",
	2: "RGB",
	3: "palette",
	4: "greyscale with alpha",
	6: "RGB with alpha",
};
const MAX_CHUNKS = 10_000;
const MAX_TEXT_CHARS = 2000;

export function readPngHeader(image: Buffer): ImageFacts {
	if (image.length < 33) throw damaged("The PNG is cut off before its header ends.");
	const facts: ImageFacts = {
		width: image.readUInt32BE(16),
		height: image.readUInt32BE(20),
		colour: `${COLOR_TYPES[image[25] ?? -1] ?? "unknown"}, ${image[24]} bits`,
	};
	let at = 33;
	for (let count = 0; count < MAX_CHUNKS && at + 8 <= image.length; count += 1) {
		const length = image.readUInt32BE(at);
		const type = image.toString("latin1", at + 4, at + 8);
		readChunk(type, image.subarray(at + 8, at + 8 + length), facts);
		if (type === "IEND") return facts;
		at += 12 + length;
	}
	return { ...facts, truncated: true };
}

function readChunk(type: string, data: Buffer, facts: ImageFacts): void {
	if (type === "tEXt" || type === "iTXt") {
		const end = data.indexOf(0);
		const key = data.toString("latin1", 0, Math.max(0, end));
		const text = type === "tEXt" ? data.toString("latin1", end + 1) : internationalText(data, end);
		if (key && text) facts[key] = text.slice(0, MAX_TEXT_CHARS);
	}
	if (type === "acTL" && data.length >= 4) facts["frames"] = data.readUInt32BE(0);
	if (type === "eXIf") Object.assign(facts, readExif(data));
}

/** Keyword, compression flag and method, language, translated keyword, text. Compressed text is left alone. */
function internationalText(data: Buffer, end: number): string {
	if (data[end + 1] !== 0) return "";
	const language = data.indexOf(0, end + 3);
	const keyword = data.indexOf(0, language + 1);
	return language === -1 || keyword === -1 ? "" : data.toString("utf8", keyword + 1);
}
