import askingStems from "./asking-stems.json" with { type: "json" };
import authOwners from "./auth-owners.json" with { type: "json" };
import commonPasswords from "./common-passwords.json" with { type: "json" };
import describingEndings from "./describing-endings.json" with { type: "json" };
import describingWords from "./describing-words.json" with { type: "json" };
import harmlessEndings from "./harmless-endings.json" with { type: "json" };
import harmlessKeyQualifiers from "./harmless-key-qualifiers.json" with { type: "json" };
import harmlessQualifiers from "./harmless-qualifiers.json" with { type: "json" };
import headerSchemes from "./header-schemes.json" with { type: "json" };
import loginParts from "./login-parts.json" with { type: "json" };
import messageStems from "./message-stems.json" with { type: "json" };
import messageWords from "./message-words.json" with { type: "json" };
import namesStrongInCapitals from "./names-strong-in-capitals.json" with { type: "json" };
import namingWords from "./naming-words.json" with { type: "json" };
import neutralEndings from "./neutral-endings.json" with { type: "json" };
import noUsers from "./no-users.json" with { type: "json" };
import ordinaryWords from "./ordinary-words.json" with { type: "json" };
import outcomeQualifiers from "./outcome-qualifiers.json" with { type: "json" };
import passwordEndings from "./password-endings.json" with { type: "json" };
import passwordEndingsOtherScripts from "./password-endings-other-scripts.json" with { type: "json" };
import passwordNames from "./password-names.json" with { type: "json" };
import passwordStems from "./password-stems.json" with { type: "json" };
import personalTokenOwners from "./personal-token-owners.json" with { type: "json" };
import phraseOwners from "./phrase-owners.json" with { type: "json" };
import proseWords from "./prose-words.json" with { type: "json" };
import referenceBeginnings from "./reference-beginnings.json" with { type: "json" };
import secretEndings from "./secret-endings.json" with { type: "json" };
import secretEndingsOtherScripts from "./secret-endings-other-scripts.json" with { type: "json" };
import secretKeyQualifiers from "./secret-key-qualifiers.json" with { type: "json" };
import secretNames from "./secret-names.json" with { type: "json" };
import stateEndings from "./state-endings.json" with { type: "json" };
import stateWords from "./state-words.json" with { type: "json" };
import toldMarks from "./told-marks.json" with { type: "json" };
import translatedNames from "./translated-names.json" with { type: "json" };
import weakNames from "./weak-names.json" with { type: "json" };
import weakStems from "./weak-stems.json" with { type: "json" };

/** The JSON files in this folder contain one word a line, sorted, in lower case unless noted here. */
type Words = ReadonlySet<string>;

/** The most common leaked passwords, except those that are ordinary words in files. */
export const COMMON_PASSWORDS: Words = new Set(commonPasswords);

/** Parts that make several words a name or a message. */
export const NAMING_WORDS: Words = new Set(namingWords);

/** Parts of words that belong to the vocabulary of logins: `userpassword`, `nopass`, `keyring`. */
export const LOGIN_PARTS: Words = new Set(loginParts);

/** Authentication schemes of HTTP headers. */
export const HEADER_SCHEMES: Words = new Set(headerSchemes);

/** Words after the secret one that leave it a secret: `DB_PASSWORD_PROD`, `secret_key_base`, `apiKeyValue`. */
export const NEUTRAL_ENDINGS: Words = new Set(neutralEndings);

/** Words after the secret one that make it something else: `TOKEN_TYPE`, `passwordField`. */
export const HARMLESS_ENDINGS: Words = new Set(harmlessEndings);

/** Entries next to a secret, under the same parent, that describe it. */
export const DESCRIBING_ENDINGS: Words = new Set(describingEndings);

/** Before `key`: what makes it a secret one. */
export const SECRET_KEY_QUALIFIERS: Words = new Set(secretKeyQualifiers);

/** Before `auth`: the owner of the credentials. */
export const AUTH_OWNERS: Words = new Set(authOwners);

/** Before `pat`, which otherwise is short for a pattern. */
export const PERSONAL_TOKEN_OWNERS: Words = new Set(personalTokenOwners);

/** Before `phrase`: what makes it a password. */
export const PHRASE_OWNERS: Words = new Set(phraseOwners);

/** Before `key`, `token`, `code` or `hash`: what makes it an ordinary name. */
export const HARMLESS_QUALIFIERS: Words = new Set(harmlessQualifiers);

/** Before `key` only. */
export const HARMLESS_KEY_QUALIFIERS: Words = new Set(harmlessKeyQualifiers);

/** Before `pass`: a result, as in `tests.pass: 12`. */
export const OUTCOME_QUALIFIERS: Words = new Set(outcomeQualifiers);

/** After `/home/` or `/Users/`: shared directories and pages of web sites, not user names. */
export const NO_USERS: Words = new Set(noUsers);

/** Words for types and states, and words of prose. A password that is just one of them cannot be told apart from the word. */
export const ORDINARY_WORDS: Words = new Set(ordinaryWords);

/** Words that make several words a sentence. */
export const PROSE_WORDS: Words = new Set(proseWords);

/** A name that ends in one of these names a password, whatever comes directly before it: `dbpassword`. */
export const PASSWORD_ENDINGS: Words = new Set(passwordEndings);

/** Names of passwords that are a whole word, also with an `s` at their end. */
export const PASSWORD_NAMES: Words = new Set(passwordNames);

/** Names of passwords in languages without spaces and in other scripts. They end the name. */
export const PASSWORD_ENDINGS_OTHER_SCRIPTS: Words = new Set(passwordEndingsOtherScripts);

/** In a list of translations the value is the name in another language. */
export const TRANSLATED_NAMES: Words = new Set(translatedNames);

/** How a lookup of a value begins in code, templates and configuration. Case-sensitive. */
export const REFERENCE_BEGINNINGS: Words = new Set(referenceBeginnings);

/** A name that ends in one of these names a secret, whatever comes directly before it: `mytoken`. */
export const SECRET_ENDINGS: Words = new Set(secretEndings);

/** Names of secrets that are a whole word. */
export const SECRET_NAMES: Words = new Set(secretNames);

/** The same in other scripts. They end the name. */
export const SECRET_ENDINGS_OTHER_SCRIPTS: Words = new Set(secretEndingsOtherScripts);

/** After these only a value that was clearly generated is a secret. */
export const WEAK_NAMES: Words = new Set(weakNames);

/** Weak names that a program's setting makes strong: `ACME_KEY`, `HASH_SALT`. In lower case they may be a column or an index. */
export const NAMES_STRONG_IN_CAPITALS: Words = new Set(namesStrongInCapitals);

/** Words that describe a password and are not one. */
export const STATE_WORDS: Words = new Set(stateWords);

/** Endings of such words. */
export const STATE_ENDINGS: Words = new Set(stateEndings);

/** How words for password begin in languages that decline them: `parolası`, `паролем`, `Lösenordet`. */
export const PASSWORD_STEMS: Words = new Set(passwordStems);

/** The same for words that mean a key or a token, and other things as well. */
export const WEAK_STEMS: Words = new Set(weakStems);

/** Words between the name of a secret and the secret in a sentence: `is`, `lautet`, `è`, `with`. */
export const TOLD_MARKS: Words = new Set(toldMarks);

/** Words after the name of a secret in a sentence that is not about its value: `the key fingerprint is`, `the token type is`. */
export const DESCRIBING_WORDS: Words = new Set(describingWords);

/** How words begin, without accents, that ask for a secret or name one, in any language: `Enter your …`, `Bitte … eingeben`. */
export const ASKING_STEMS: Words = new Set(askingStems);

/** Words, without accents, that pages, messages and documentation use about a secret. */
export const MESSAGE_WORDS: Words = new Set(messageWords);

/** How further ones begin. */
export const MESSAGE_STEMS: Words = new Set(messageStems);
