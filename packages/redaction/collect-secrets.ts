import type { Environment } from "@deputize/ground";
import { classifyKey } from "./judgement/classify-key.ts";
import { isHarmlessValue } from "./judgement/reject-value.ts";

/** Shorter values would also be found inside ordinary words. */
const MINIMUM_SECRET_LENGTH = 8;
const MAXIMUM_SECRET_LENGTH = 65_536;

/** Variables of providers whose names do not say that they contain a secret. */
const PROVIDER_VARIABLE =
	/^(?:[A-Z0-9_]{1,60}_(?:KEY|PAT|AUTH|CREDENTIALS?|DSN|WEBHOOK(?:_URL)?|CONNECTION_STRING|DATABASE_URL)|DATABASE_URL|REDIS_URL|MONGO(?:DB)?_UR[IL]|NETRC|HF_TOKEN|[A-Z0-9_]{0,60}(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|API_KEY)[A-Z0-9_]{0,40})$/;

/**
 * Values worth removing wherever they appear: those of environment variables with a secret's name, and `extra` ones
 * the caller knows. Each comes with its base64, URL-encoded and JSON-escaped forms. Longest first.
 */
export function collectSecrets(env: Environment, extra: readonly string[] = []): readonly string[] {
	const values = new Set<string>();
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && isSecretVariable(name) && isWorthRemoving(value)) values.add(value.trim());
	}
	for (const value of extra) if (value.trim().length >= MINIMUM_SECRET_LENGTH) values.add(value.trim());
	const forms = new Set([...values].flatMap(encodedForms));
	return [...forms].sort((left, right) => right.length - left.length || (left < right ? -1 : 1));
}

const HARMLESS_VARIABLE =
	/(?:_PATH|_FILE|_DIR|_NAME|_ID|_TYPE|_SOCK|_HOME|_VERSION|_PUBLIC_KEY|_TTL|_COUNT|_LIMIT|_EXPIRES?|_EXPIRY|_ENDPOINT|_HOST|_PORT|_REGION|_ENABLED)$/i;

/** Of every shell: its directories, not passwords, also where their names have blanks or umlauts. */
const DIRECTORY_VARIABLE = /^(?:OLD)?PWD$/;

function isSecretVariable(name: string): boolean {
	if (HARMLESS_VARIABLE.test(name) || DIRECTORY_VARIABLE.test(name)) return false;
	const keyClass = classifyKey(name);
	return keyClass === "password" || keyClass === "secret" || PROVIDER_VARIABLE.test(name.toUpperCase());
}

/** A path, a flag or a single repeated character in such a variable is no secret, and removing it would harm. */
function isWorthRemoving(value: string): boolean {
	const trimmed = value.trim();
	if (trimmed.length < MINIMUM_SECRET_LENGTH || trimmed.length > MAXIMUM_SECRET_LENGTH) return false;
	if (new Set(trimmed).size < 4) return false;
	const carriesPassword = /:\/\/[^/\s]{0,200}@|hooks\./.test(trimmed);
	return carriesPassword || !isHarmlessValue(trimmed);
}

function encodedForms(value: string): string[] {
	const bytes = Buffer.from(value, "utf8");
	const json = JSON.stringify(value).slice(1, -1);
	const forms = [
		value,
		json,
		encodeURIComponent(value),
		encodeURIComponent(value).replaceAll("%20", "+"),
		bytes.toString("hex"),
	];
	return [...forms, ...base64Forms(bytes)].filter((form) => form.length >= MINIMUM_SECRET_LENGTH);
}

/**
 * Inside a longer base64 text (`user:secret`) the same bytes have one of three spellings, by where they start. The
 * characters at the edges also contain bits of their neighbors and are left out.
 */
function base64Forms(bytes: Buffer): string[] {
	const forms: string[] = [bytes.toString("base64"), bytes.toString("base64url")];
	for (const offset of [0, 1, 2]) {
		const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
		const first = offset === 0 ? 0 : offset + 1;
		const last = Math.floor((shifted.length * 8) / 6);
		forms.push(
			shifted.toString("base64").slice(first, last),
			shifted.toString("base64url").slice(first, last),
		);
	}
	return forms.filter((form) => form.length >= MINIMUM_BASE64_FORM);
}

/** Eight bytes leave ten sure characters; shorter pieces of base64 could be anybody's. */
const MINIMUM_BASE64_FORM = 10;
