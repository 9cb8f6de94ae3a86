import type { Environment } from "@deputize/ground";

/** Shorter values would blank out ordinary words. */
const MIN_SECRET_CHARS = 6;

export function createSecretScrubber(env: Environment) {
	const known = new Set<string>();
	return {
		/** A value that must not appear in any message. */
		add(secret: string): void {
			if (secret.trim().length >= MIN_SECRET_CHARS) known.add(secret.trim());
		},
		/**
		 * What every message goes through before it leaves the program: known values go, and whatever looks like a secret
		 * of anybody's. Loaded when there is something to say: most runs never need it.
		 */
		async load(): Promise<(text: string) => string> {
			const { collectSecrets, sanitizeOutput } = await import("@deputize/redaction");
			return (text) => sanitizeOutput(text, { secrets: [...collectSecrets(env, [...known]), ...known] });
		},
	};
}

export type SecretScrubber = ReturnType<typeof createSecretScrubber>;
