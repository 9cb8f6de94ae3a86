import { describe, expect, it } from "vitest";
import { BILLION_LAUGHS } from "../../../../test/helpers/convert-hostile.ts";
import { readExif } from "../../image/read-exif.ts";
import { readImage } from "../../image/read-image.ts";
import { readSvg } from "../../image/read-svg.ts";

function pngChunk(type: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
}

function png(...chunks: readonly Buffer[]): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(640, 0);
	header.writeUInt32BE(480, 4);
	header[8] = 8;
	header[9] = 2;
	return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), pngChunk("IHDR", header), ...chunks]);
}

const END = pngChunk("IEND", Buffer.alloc(0));

describe("readImage", () => {
	it("reads the texts of a PNG", () => {
		const image = png(
			pngChunk("tEXt", Buffer.from("Author\0Ada", "latin1")),
			pngChunk("iTXt", Buffer.from("Title\0\0\0de\0Titel\0Größe")),
			END,
		);
		expect(readImage(image, "png").metadata).toEqual({
			format: "png",
			width: 640,
			height: 480,
			colour: "RGB, 8 bits",
			Author: "Ada",
			Title: "Größe",
		});
	});

	it("says that a PNG is cut off, and what can still be known", () => {
		expect(readImage(png(), "png").metadata).toMatchObject({ width: 640, truncated: true });
		expect(() => readImage(png().subarray(0, 20), "png")).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
		);
	});

	it("is not led astray by a chunk that claims to be huge", () => {
		const lying = pngChunk("tEXt", Buffer.from("a\0b"));
		lying.writeUInt32BE(0xffffffff, 0);
		expect(readImage(png(lying, END), "png").metadata["truncated"]).toBe(true);
	});

	it.each([
		["VP8 ", Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01])],
		["VP8X", Buffer.from([0, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0])],
	])("reads the size of a WebP in the form %s", (type, data) => {
		const length = Buffer.alloc(4);
		length.writeUInt32LE(data.length);
		const image = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.from(type), length, data]);
		expect(readImage(image, "webp").metadata).toMatchObject({ width: 640, height: 480 });
	});

	it("reads a JPEG with fill bytes before its markers", () => {
		const frame = [0xc0, 0x00, 0x0b, 8, 0x00, 0x30, 0x00, 0x40, 1, 1, 0x11, 0];
		const comment = [0xfe, 0x00, 0x04, 0x68, 0x69];
		const bytes = [0xff, 0xd8, 0xff, 0xff, 0xff, ...comment, 0xff, 0xff, ...frame, 0xff, 0xda];
		const { markdown } = readImage(Buffer.from(bytes), "jpeg");
		expect(markdown).toContain("64");
		expect(markdown).toContain("48");
		expect(markdown).toContain("hi");
	});

	it.each(["jpeg", "gif", "webp"] as const)("calls a %s without a size damaged", (format) => {
		expect(() => readImage(Buffer.from("\xff\xd8\xff\xe0", "latin1"), format)).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
		);
	});
});

describe("readExif", () => {
	it("gives nothing rather than failing on noise", () => {
		const seeds = Array.from({ length: 300 }, (_, seed) => {
			const bytes = Buffer.alloc(200);
			bytes.write(seed % 2 ? "II" : "MM");
			for (let index = 2; index < bytes.length; index += 1)
				bytes[index] = (seed * 31 + index * 17 + ((seed * index) >> 3)) & 255;
			bytes.writeUInt32LE(8, 4);
			return bytes;
		});
		for (const bytes of seeds) expect(() => readExif(bytes)).not.toThrow();
	});
});

describe("readSvg", () => {
	it("tells size, title and the words in the drawing", () => {
		const svg =
			'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20" viewBox="0 0 10 20"><title>Plan</title><desc>of the harbour</desc><g><text>Pier <tspan>7</tspan></text></g></svg>';
		const { markdown, title } = readSvg(Buffer.from(svg));
		expect(title).toBe("Plan");
		expect(markdown).toBe(
			"# Image\n\n| Property | Value |\n| --- | --- |\n| format | svg |\n| width | 10 |\n| height | 20 |\n| viewBox | 0 0 10 20 |\n| title | Plan |\n| description | of the harbour |\n\n## Text\n\nPier 7",
		);
	});

	it("refuses an entity bomb", () => {
		expect(() => readSvg(Buffer.from(`${BILLION_LAUGHS}<svg>&lol9;</svg>`))).toThrow(
			expect.objectContaining({ code: "DOCUMENT_UNSAFE" }),
		);
	});
});
