import { crc32 } from "node:zlib";

/**
 * An archive of parts that were already checked, without compression. Libraries that bring their own unzip get
 * this instead of the original, so that they cannot see anything the guard did not.
 */
export function writeStoredZip(parts: ReadonlyMap<string, Uint8Array>): Buffer {
	const chunks: Uint8Array[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, content] of parts) {
		const rawName = Buffer.from(name, "utf8");
		const fields = commonFields(rawName.length, content);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, rawName]);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, place, rawName]));
		chunks.push(local, content);
		offset += local.length + content.length;
	}
	const contents = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", 0, "latin1");
	end.writeUInt16LE(directory.length, 8);
	end.writeUInt16LE(directory.length, 10);
	end.writeUInt32LE(contents.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...chunks, contents, end]);
}

/** The 26 bytes a local header and a directory entry share: version, flags, method, time, sizes, name length. */
function commonFields(nameLength: number, content: Uint8Array): Buffer {
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0);
	fields.writeUInt16LE(0x0800, 2);
	fields.writeUInt32LE(0x00210000, 6);
	fields.writeUInt32LE(crc32(content), 10);
	fields.writeUInt32LE(content.length, 14);
	fields.writeUInt32LE(content.length, 18);
	fields.writeUInt16LE(nameLength, 22);
	return fields;
}
