import { toWords } from "./to-words.ts";

/** A name that ends in one of these names a secret, whatever is glued before it: `mytoken`. */
export const SECRET_ENDINGS = toWords(`
accesskey
accountkey
apikey
appkey
authkey
encryptionkey
licensekey
masterkey
privatekey
secret
secretkey
sharedkey
signingkey
token
`);

/** Names of secrets that are a whole word. */
export const SECRET_NAMES = toWords(`
accountkey
aspxauth
authtoken
bearer
cred
credential
credentials
creds
jsessionid
jwt
keypass
masterauth
mnemonic
otpauth
passkey
phpsessid
presharedkey
psk
sharedaccesskey
`);

/** The same in other scripts. They end the name. */
export const SECRET_ENDINGS_OTHER_SCRIPTS = toWords(`
секрет
токен
トークン
令牌
密鑰
密钥
秘密鍵
金鑰
시크릿
토큰
`);

/** After these only a value that was clearly generated is a secret. */
export const WEAK_NAMES = toWords(`
access
apikeys
assertion
auth
authentication
authorization
certificate
code
conn
connstr
cookie
cookies
csrf
digest
dsn
hash
hmac
hook
key
keys
licence
license
nonce
otp
pat
pepper
pin
private
refresh
salt
samlresponse
secrets
seed
session
sessionid
sessions
sid
sig
signature
ticket
tokens
totp
unseal
webhook
xsrf
`);

/** Weak names that a program's setting makes strong: `ACME_KEY`, `HASH_SALT`. In lower case they may be a column or an index. */
export const NAMES_STRONG_IN_CAPITALS = toWords(`
auth
key
pepper
salt
secrets
seed
tokens
`);
