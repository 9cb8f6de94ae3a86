/** Shorter values would blank out ordinary words. */
const MIN_SECRET_CHARS = 6;

/** Removes known secrets, as they are and as they look inside JSON and addresses. */
export function createSecretScrubber() {
	const secrets = new Set<string>();
	return {
		add(secret: string): void {
			const value = secret.trim();
			if (value.length < MIN_SECRET_CHARS) return;
			for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
				secrets.add(form);
		},
		scrub(text: string): string {
			return [...secrets].reduce((current, secret) => current.replaceAll(secret, "[redacted]"), text);
		},
	};
}
