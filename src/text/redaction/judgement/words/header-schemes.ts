import { toWords } from "./to-words.ts";

/** Authentication schemes of HTTP headers. */
export const HEADER_SCHEMES = toWords(`
api-key
apikey
aws
aws4-hmac-sha256
basic
bearer
bot
client-id
credential
digest
discogs
geniekey
goog4-rsa-sha256
hawk
hmac
jwt
key
mac
negotiate
ntlm
oauth
private-token
sharedkey
sharedkeylite
signature
splunk
ssws
token
`);
