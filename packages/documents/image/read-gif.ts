import { damaged } from "../conversion-error.ts";
import type { ImageFacts } from "./image-facts.ts";

const IMAGE_BLOCK = 0x2c;
const EXTENSION_BLOCK = 0x21;
const MAX_FRAMES = 100_000;

export function readGifHeader(image: Buffer): ImageFacts {
	if (image.length < 13) throw damaged("The GIF is cut off before its header ends.");
	return {
		width: image.readUInt16LE(6),
		height: image.readUInt16LE(8),
		frames: countFrames(image),
	};
}

const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

function countFrames(image: Buffer): number {
	let frames = 0;
	let at = 13 + colorTableBytes(image[10] ?? 0);
	while (at < image.length && frames < MAX_FRAMES) {
		if (image[at] === IMAGE_BLOCK) {
			frames += 1;
			at = skipSubBlocks(image, at + 11 + colorTableBytes(image[at + 9] ?? 0));
		} else if (image[at] === EXTENSION_BLOCK) at = skipSubBlocks(image, at + 2);
		else break;
	}
	return frames;
}

function skipSubBlocks(image: Buffer, from: number): number {
	let at = from;
	for (let size = image[at]; size !== undefined && size !== 0; size = image[at]) at += size + 1;
	return at + 1;
}
