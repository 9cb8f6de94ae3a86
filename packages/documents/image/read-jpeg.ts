import { damaged } from "../conversion-error.ts";
import type { ImageFacts } from "./image-facts.ts";
import { readExif } from "./read-exif.ts";

const START_OF_SCAN = 0xda;
/** Any number of these may be in front of a marker (T.81, B.1.1.2). */
const FILL = 0xff;
const APP1 = 0xe1;
const COMMENT = 0xfe;
const MAX_COMMENT_CHARS = 2000;

/** Start-of-frame markers; 0xc4, 0xc8 and 0xcc in their range mean something else. */
const isFrameMarker = (marker: number): boolean =>
	marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export function readJpegHeader(image: Buffer): ImageFacts {
	const facts: ImageFacts = {};
	let at = 2;
	while (at + 4 <= image.length && image[at] === 0xff) {
		const marker = image[at + 1] ?? 0;
		if (marker === FILL) {
			at += 1;
			continue;
		}
		if (marker === START_OF_SCAN) break;
		const length = image.readUInt16BE(at + 2);
		readSegment(marker, image.subarray(at + 4, at + 2 + length), facts);
		at += 2 + length;
	}
	const { width, height, colour, ...notes } = facts;
	if (width === undefined || height === undefined || colour === undefined)
		throw damaged("The JPEG is cut off before it says how large the picture is.");
	return { width, height, colour, ...notes };
}

function readSegment(marker: number, data: Buffer, facts: ImageFacts): void {
	if (isFrameMarker(marker) && data.length >= 6) {
		facts["width"] = data.readUInt16BE(3);
		facts["height"] = data.readUInt16BE(1);
		facts["colour"] = `${data[5]} components, ${data[0]} bits${marker === 0xc2 ? ", progressive" : ""}`;
	}
	if (marker === APP1 && data.toString("latin1", 0, 6) === "Exif\0\0")
		Object.assign(facts, readExif(data.subarray(6)));
	if (marker === COMMENT)
		facts["comment"] = data.toString("utf8").replace(/\0+$/, "").slice(0, MAX_COMMENT_CHARS);
}
