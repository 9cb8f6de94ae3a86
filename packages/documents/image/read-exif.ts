import type { ImageFacts } from "./image-facts.ts";

const NAMES: Readonly<Record<number, string>> = {
	270: "description",
	271: "make",
	272: "model",
	274: "orientation",
	305: "software",
	306: "modified",
	315: "artist",
	33432: "copyright",
	33434: "exposureSeconds",
	33437: "fNumber",
	34855: "iso",
	36867: "taken",
	37386: "focalLengthMm",
};
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const GPS_LATITUDE_REFERENCE = 1;
const GPS_LATITUDE = 2;
const GPS_LONGITUDE_REFERENCE = 3;
const GPS_LONGITUDE = 4;
const BYTES_PER_TYPE: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };
const MAX_FIELDS = 500;
const MAX_VALUES = 16;
const MAX_TEXT_CHARS = 500;

type Value = string | readonly number[];

/** The basics of a camera's notes. Anything out of bounds is skipped: a picture is readable without them. */
export function readExif(tiff: Buffer): ImageFacts {
	const order = tiff.toString("latin1", 0, 2);
	if ((order !== "II" && order !== "MM") || tiff.length < 8) return {};
	const reader = createTiffReader(tiff, order === "II");
	const main = readTiffDirectory(reader, reader.long(4) ?? 0);
	const fields = new Map([...main, ...readTiffDirectory(reader, numberOf(main.get(EXIF_DIRECTORY)) ?? 0)]);
	const facts: ImageFacts = {};
	for (const [tag, name] of Object.entries(NAMES)) {
		const value = fields.get(Number(tag));
		const plain = typeof value === "string" ? value : numberOf(value);
		if (plain !== undefined && plain !== "") facts[name] = plain;
	}
	const position = readPosition(readTiffDirectory(reader, numberOf(main.get(GPS_DIRECTORY)) ?? 0));
	return position ? { ...facts, position } : facts;
}

type TiffReader = ReturnType<typeof createTiffReader>;

function createTiffReader(bytes: Buffer, little: boolean) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return {
		bytes,
		short: (at: number) => (at + 2 > bytes.length ? undefined : view.getUint16(at, little)),
		long: (at: number) => (at + 4 > bytes.length ? undefined : view.getUint32(at, little)),
	};
}

const numberOf = (value: Value | undefined): number | undefined =>
	typeof value === "string" ? undefined : value?.[0];

function readTiffDirectory(reader: TiffReader, offset: number): Map<number, Value> {
	const fields = new Map<number, Value>();
	const count = offset > 0 ? Math.min(reader.short(offset) ?? 0, MAX_FIELDS) : 0;
	for (let index = 0; index < count; index += 1) {
		const at = offset + 2 + index * 12;
		const tag = reader.short(at);
		const value = readValue(reader, at);
		if (tag !== undefined && value !== undefined) fields.set(tag, value);
	}
	return fields;
}

function readValue(reader: TiffReader, field: number): Value | undefined {
	const type = reader.short(field + 2) ?? 0;
	const count = reader.long(field + 4) ?? 0;
	const size = (BYTES_PER_TYPE[type] ?? 0) * count;
	const at = size > 4 ? reader.long(field + 8) : field + 8;
	if (size === 0 || at === undefined || at + size > reader.bytes.length) return undefined;
	if (type === 2)
		return reader.bytes
			.toString("utf8", at, at + Math.min(size, MAX_TEXT_CHARS))
			.replace(/\0[\s\S]*$/, "")
			.trim();
	const values: number[] = [];
	for (let index = 0; index < Math.min(count, MAX_VALUES); index += 1) {
		const value = readNumber(reader, type, at + index * (BYTES_PER_TYPE[type] ?? 1));
		if (value !== undefined) values.push(value);
	}
	return values;
}

function readNumber(reader: TiffReader, type: number, at: number): number | undefined {
	if (type === 3) return reader.short(at);
	if (type === 4 || type === 9) return reader.long(at);
	if (type !== 5 && type !== 10) return reader.bytes[at];
	const divisor = reader.long(at + 4);
	return divisor ? Number(((reader.long(at) ?? 0) / divisor).toPrecision(6)) : undefined;
}

function readPosition(gps: ReadonlyMap<number, Value>): string | undefined {
	const latitude = toDegrees(gps.get(GPS_LATITUDE), gps.get(GPS_LATITUDE_REFERENCE) === "S");
	const longitude = toDegrees(gps.get(GPS_LONGITUDE), gps.get(GPS_LONGITUDE_REFERENCE) === "W");
	return latitude === undefined || longitude === undefined ? undefined : `${latitude}, ${longitude}`;
}

function toDegrees(value: Value | undefined, negative: boolean): number | undefined {
	if (value === undefined || typeof value === "string") return undefined;
	const [degrees, minutes = 0, seconds = 0] = value;
	if (degrees === undefined) return undefined;
	const sum = degrees + minutes / 60 + seconds / 3600;
	return Number((negative ? -sum : sum).toFixed(6));
}
