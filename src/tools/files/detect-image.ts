/** The type of an image that models are shown, by its first bytes; undefined for anything else. */
export function detectImage(bytes: Buffer): string | undefined {
	const starts = (text: string, at = 0): boolean => bytes.toString("latin1", at, at + text.length) === text;
	if (starts("\xff\xd8\xff")) return bytes[3] === 0xf7 ? undefined : "image/jpeg";
	if (starts("\x89PNG\r\n\x1a\n")) return starts("IHDR", 12) && !isAnimated(bytes) ? "image/png" : undefined;
	if (starts("GIF87a") || starts("GIF89a")) return "image/gif";
	if (starts("RIFF") && starts("WEBP", 8)) return "image/webp";
	return starts("BM") && isBitmap(bytes) ? "image/bmp" : undefined;
}

const SNIFFED_BYTES = 4100;

/** An animated PNG announces itself before the first picture data. */
function isAnimated(bytes: Buffer): boolean {
	const head = bytes.toString("latin1", 0, SNIFFED_BYTES);
	const animation = head.indexOf("acTL");
	const picture = head.indexOf("IDAT");
	return animation !== -1 && (picture === -1 || animation < picture);
}

/** "BM" begins many texts: the sizes in the header must fit each other. */
function isBitmap(bytes: Buffer): boolean {
	if (bytes.length < 26) return false;
	const pixels = bytes.readUInt32LE(10);
	const header = bytes.readUInt32LE(14);
	const depth = bytes.readUInt16LE(header === 12 ? 24 : 28);
	return pixels >= 14 + header && pixels < bytes.length && [1, 4, 8, 16, 24, 32].includes(depth);
}
