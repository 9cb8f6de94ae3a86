import { encrypted } from "../conversion-error.ts";
import type { Archive } from "../zip/open-archive.ts";

/** OpenDocument encrypts the parts, not the archive; only the manifest tells. */
export function refuseEncryptedOpenDocument(archive: Archive): void {
	const manifest = archive.read("META-INF/manifest.xml");
	if (manifest?.includes("encryption-data"))
		throw encrypted("The document is password-protected. Save a copy without a password and convert that.");
}
