import { crc32, inflateRawSync } from "node:zlib";
import { formatMebibytes } from "@deputize/ground";
import { ConversionError, damaged, encrypted, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import { readZipDirectory, type ZipEntry } from "./read-zip-directory.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** An archive whose promises were checked before anything in it was decompressed. */
export interface Archive {
	readonly names: readonly string[];
	has(name: string): boolean;
	/** Undefined when there is no such entry. Throws `ConversionError` when the entry is not what it claims. */
	read(name: string): Buffer | undefined;
}

/**
 * Refuses an archive that is encrypted, uses a method zlib does not know, or promises to become larger than
 * anything worth reading. A header that promises less than it delivers is caught while inflating.
 */
export function openArchive(buffer: Buffer): Archive {
	const entries = new Map<string, ZipEntry>();
	let total = 0;
	for (const entry of readZipDirectory(buffer)) {
		checkEntry(entry);
		total += entry.bytes;
		if (total > CONVERSION_LIMITS.maxZipTotalBytes)
			throw unsafe(
				`The archive would unpack to more than ${formatMebibytes(CONVERSION_LIMITS.maxZipTotalBytes)}; it is not opened (zip bomb guard).`,
			);
		entries.set(entry.name, entry);
	}
	return {
		names: [...entries.keys()],
		has: (name) => entries.has(name),
		read: (name) => {
			const entry = entries.get(name);
			return entry && readEntry(buffer, entry);
		},
	};
}

function checkEntry(entry: ZipEntry): void {
	if (entry.encrypted)
		throw encrypted(`"${entry.name}" in the archive is password-protected. Save a copy without a password.`);
	if (entry.method !== STORED && entry.method !== DEFLATED)
		throw new ConversionError(
			"UNSUPPORTED_FORMAT",
			`"${entry.name}" is compressed with method ${entry.method}; only stored and deflated entries are read.`,
		);
	if (entry.bytes > CONVERSION_LIMITS.maxZipEntryBytes)
		throw unsafe(
			`"${entry.name}" would unpack to ${formatMebibytes(entry.bytes)}, more than ${formatMebibytes(CONVERSION_LIMITS.maxZipEntryBytes)}; the file is not opened (zip bomb guard).`,
		);
}

function readEntry(buffer: Buffer, entry: ZipEntry): Buffer {
	const start = entry.headerOffset;
	if (start + LOCAL_LENGTH > buffer.length || buffer.readUInt32LE(start) !== LOCAL_SIGNATURE)
		throw damaged(`"${entry.name}" is not where the archive's table of contents says.`);
	const from = start + LOCAL_LENGTH + buffer.readUInt16LE(start + 26) + buffer.readUInt16LE(start + 28);
	const packed = buffer.subarray(from, from + entry.compressedBytes);
	if (packed.length < entry.compressedBytes) throw damaged(`"${entry.name}" is cut off.`);
	const content = entry.method === STORED ? packed : inflate(packed, entry);
	if (content.length !== entry.bytes || crc32(content) !== entry.crc32)
		throw damaged(`"${entry.name}" does not match its checksum.`);
	return content;
}

function inflate(packed: Buffer, entry: ZipEntry): Buffer {
	try {
		return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.bytes) });
	} catch (error) {
		if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE")
			throw unsafe(`"${entry.name}" unpacks to more than it claims (zip bomb guard).`);
		throw damaged(`"${entry.name}" cannot be decompressed.`);
	}
}
