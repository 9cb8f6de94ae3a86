import { expect, it } from "vitest";
import { classifyKey, type KeyClass } from "../../judgement/classify-key.ts";

const NAMES: Readonly<Record<KeyClass, readonly string[]>> = {
	password: [
		..."password dbPassword DB_PASSWORD_PROD passwords user.pass preSharedKey wpa_key wlanKey keyMaterial".split(
			" ",
		),
		..."dbpass XMLPassword password2 dbPassword2 DB_PASSWORD_2 DB_PASSWORD1 parolası паролем".split(" "),
		...["pass word", "pre-shared key", "wifi key", "key content", "seed phrase"],
		`${"x_".repeat(40)}password`,
	],
	secret: [
		..."api_key unseal_keys device_code secretId githubPat npm_auth token accessToken client_secret".split(
			" ",
		),
		..."mytoken ACME_KEY HASH_SALT token_v2 token2 apiKey2 a.b.c.d.e.f.g.h.i.token".split(" "),
		...["secret seed", "authorization code"],
	],
	weak: [
		..."tests.pass primaryKey key keys seed pat auth tokens secrets acme_key KEY salt TOKEN_GITHUB".split(
			" ",
		),
		..."token_12345 hash password_hash connectionString connection_string".split(" "),
		"zip code",
	],
	none: [
		..."sword content public_key pub_key foreign_key id next_token string TOKEN_TYPE passwordField name".split(
			" ",
		),
		..."connection pass2 sha256 base64 mysecrets".split(" "),
		...["", "catch phrase", "public key id", "public key value"],
		`${"x".repeat(113)}password`,
	],
};

it.each(
	Object.entries(NAMES).flatMap(([meaning, names]) => names.map((name): [string, string] => [name, meaning])),
)("the name %j means: %s", (name, meaning) => {
	expect(classifyKey(name)).toBe(meaning);
});
