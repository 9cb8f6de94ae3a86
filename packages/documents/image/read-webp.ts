import { damaged } from "../conversion-error.ts";
import type { ImageFacts } from "./image-facts.ts";
import { readExif } from "./read-exif.ts";

const MAX_CHUNKS = 10_000;

export function readWebpHeader(image: Buffer): ImageFacts {
	const facts: ImageFacts = {};
	let frames = 0;
	let at = 12;
	for (let count = 0; count < MAX_CHUNKS && at + 8 <= image.length; count += 1) {
		const type = image.toString("latin1", at, at + 4);
		const length = image.readUInt32LE(at + 4);
		const data = image.subarray(at + 8, at + 8 + length);
		if (facts["width"] === undefined) Object.assign(facts, readSize(type, data));
		if (type === "ANMF") frames += 1;
		if (type === "EXIF") Object.assign(facts, readExif(data));
		at += 8 + length + (length & 1);
	}
	if (facts["width"] === undefined)
		throw damaged("The WebP is cut off before it says how large the picture is.");
	return frames > 0 ? { ...facts, frames } : facts;
}

function readSize(type: string, data: Buffer): ImageFacts {
	if (type === "VP8X" && data.length >= 10)
		return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
	if (type === "VP8 " && data.length >= 10)
		return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
	if (type === "VP8L" && data.length >= 5) {
		const bits = data.readUInt32LE(1);
		return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, lossless: true };
	}
	return {};
}
