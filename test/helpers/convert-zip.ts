import { crc32, deflateRawSync } from "node:zlib";

/** What a test puts into an archive, with the lies it wants told about it. */
export interface ZipPart {
	readonly name: string;
	readonly content: string | Uint8Array;
	readonly stored?: boolean;
	/** What the headers claim instead of the truth. */
	readonly claimedBytes?: number;
	readonly encrypted?: boolean;
	readonly method?: number;
	readonly checksum?: number;
}

/** Writes real archives, and hostile ones. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
	const bodies: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const part of parts) {
		const raw = Buffer.from(part.content as string);
		const packed = part.stored ? raw : deflateRawSync(raw);
		const name = Buffer.from(part.name);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(0x0800 | (part.encrypted ? 1 : 0), 2);
		fields.writeUInt16LE(part.method ?? (part.stored ? 0 : 8), 4);
		fields.writeUInt16LE((12 << 11) | (30 << 5), 6);
		fields.writeUInt16LE(((2025 - 1980) << 9) | (6 << 5) | 7, 8);
		fields.writeUInt32LE(part.checksum ?? crc32(raw), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(part.claimedBytes ?? raw.length, 18);
		fields.writeUInt16LE(name.length, 22);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, name]);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, place, name]));
		bodies.push(local, packed);
		offset += local.length + packed.length;
	}
	const contents = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", 0, "latin1");
	end.writeUInt16LE(parts.length & 0xffff, 8);
	end.writeUInt16LE(parts.length & 0xffff, 10);
	end.writeUInt32LE(contents.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...bodies, contents, end]);
}
