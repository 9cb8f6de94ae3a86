import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";

export interface ZipEntry {
	readonly name: string;
	readonly method: number;
	readonly compressedBytes: number;
	readonly bytes: number;
	readonly crc32: number;
	readonly headerOffset: number;
	readonly encrypted: boolean;
	readonly directory: boolean;
	/** As written, local time of the writer; absent when the fields contain no date. */
	readonly modified?: string;
}

const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
/** The end record is followed by a comment of at most 65,535 bytes. */
const MAX_END_DISTANCE = END_LENGTH + 0xffff;
const NEEDS_ZIP64 = 0xffffffff;
const UTF8_NAME_FLAG = 0x0800;
const ENCRYPTED_FLAG = 0x0001;

interface DirectoryPlace {
	readonly offset: number;
	readonly count: number;
}

/** Reads the table of contents only; nothing is decompressed. Sizes are what the file claims. */
export function readZipDirectory(buffer: Buffer): ZipEntry[] {
	const { offset, count } = findDirectory(buffer);
	if (count > CONVERSION_LIMITS.maxZipEntries)
		throw unsafe(`The archive has ${count} entries; at most ${CONVERSION_LIMITS.maxZipEntries} are read.`);
	const entries: ZipEntry[] = [];
	let position = offset;
	for (let index = 0; index < count; index += 1) {
		if (position + ENTRY_LENGTH > buffer.length || buffer.readUInt32LE(position) !== ENTRY_SIGNATURE)
			throw damaged("The archive's table of contents is cut off or damaged.");
		const { entry, length } = readDirectoryEntry(buffer, position);
		entries.push(entry);
		position += length;
	}
	return entries;
}

function findDirectory(buffer: Buffer): DirectoryPlace {
	const lowest = Math.max(0, buffer.length - MAX_END_DISTANCE);
	for (let position = buffer.length - END_LENGTH; position >= lowest; position -= 1) {
		if (buffer.readUInt32LE(position) !== END_SIGNATURE) continue;
		const count = buffer.readUInt16LE(position + 10);
		const offset = buffer.readUInt32LE(position + 16);
		const large = count === 0xffff || offset === NEEDS_ZIP64;
		return (large && findLargeDirectory(buffer, position)) || { count, offset };
	}
	throw damaged("The archive is cut off: its table of contents, which is at the end, is missing.");
}

function findLargeDirectory(buffer: Buffer, end: number): DirectoryPlace | undefined {
	const locator = end - 20;
	if (locator < 0 || buffer.readUInt32LE(locator) !== LOCATOR64_SIGNATURE) return undefined;
	const record = Number(buffer.readBigUInt64LE(locator + 8));
	if (record + 56 > buffer.length || buffer.readUInt32LE(record) !== END64_SIGNATURE)
		throw damaged("The archive's 64-bit table of contents is damaged.");
	return {
		count: Number(buffer.readBigUInt64LE(record + 32)),
		offset: Number(buffer.readBigUInt64LE(record + 48)),
	};
}

function readDirectoryEntry(buffer: Buffer, position: number): { entry: ZipEntry; length: number } {
	const flags = buffer.readUInt16LE(position + 8);
	const nameLength = buffer.readUInt16LE(position + 28);
	const extraLength = buffer.readUInt16LE(position + 30);
	const commentLength = buffer.readUInt16LE(position + 32);
	const nameStart = position + ENTRY_LENGTH;
	const extraStart = nameStart + nameLength;
	const length = ENTRY_LENGTH + nameLength + extraLength + commentLength;
	if (position + length > buffer.length) throw damaged("The archive's table of contents is cut off.");
	const name = decodeName(buffer.subarray(nameStart, extraStart), (flags & UTF8_NAME_FLAG) !== 0);
	const sizes = readSizes(buffer, position, buffer.subarray(extraStart, extraStart + extraLength));
	const modified = readDosTime(buffer.readUInt16LE(position + 12), buffer.readUInt16LE(position + 14));
	return {
		length,
		entry: {
			name,
			method: buffer.readUInt16LE(position + 10),
			crc32: buffer.readUInt32LE(position + 16),
			encrypted: (flags & ENCRYPTED_FLAG) !== 0,
			directory: name.endsWith("/"),
			...sizes,
			...(modified && { modified }),
		},
	};
}

function decodeName(raw: Buffer, isUtf8: boolean): string {
	// Old archives use code page 437; latin1 keeps every byte distinct and ASCII right.
	return raw.toString(isUtf8 || raw.every((byte) => byte < 0x80) ? "utf8" : "latin1").replaceAll("\\", "/");
}

function readSizes(buffer: Buffer, position: number, extra: Buffer) {
	const large = readLargeValues(extra);
	const readSize = (at: number): number => {
		const value = buffer.readUInt32LE(position + at);
		return value === NEEDS_ZIP64 ? (large.shift() ?? value) : value;
	};
	// The order in which the extra field has them.
	return { bytes: readSize(24), compressedBytes: readSize(20), headerOffset: readSize(42) };
}

/** The 64-bit values of the extra field with id 1, in the order in which the 32-bit fields gave way to them. */
function readLargeValues(extra: Buffer): number[] {
	for (let at = 0; at + 4 <= extra.length; ) {
		const size = extra.readUInt16LE(at + 2);
		const end = Math.min(at + 4 + size, extra.length);
		if (extra.readUInt16LE(at) === 1) {
			const values: number[] = [];
			for (let value = at + 4; value + 8 <= end; value += 8)
				values.push(Number(extra.readBigUInt64LE(value)));
			return values;
		}
		at += 4 + size;
	}
	return [];
}

function readDosTime(time: number, date: number): string | undefined {
	const month = (date >> 5) & 15;
	const day = date & 31;
	if (month < 1 || month > 12 || day < 1) return undefined;
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${1980 + (date >> 9)}-${two(month)}-${two(day)} ${two(time >> 11)}:${two((time >> 5) & 63)}`;
}
