/**
 * How much a name says about its value.
 * `password`: whatever stands there is a secret. `secret`: a value with some substance is one.
 * `weak`: only a value that was clearly generated is.
 */
export type KeyClass = "password" | "secret" | "weak" | "none";

const PASSWORD_WORD =
	/^(?:[a-z]{0,24}(?:password|passwd|passwrd|passphrase|passcode)|[a-z]{0,12}passw|[a-z]{0,8}pwd|(?:db|user|my|pg|mysql|redis|mongo|es|git|web|app|api|vpn|wifi|zip|pdf|cert|tls|sa|svc|login|master|super|sys|sql|imap|amqp|mqtt|rabbit|kafka|root|admin|auth|smtp|mail|ftp|ssh|key|store|proxy|require|sudo|bind|rpc|http|ldap)?pass|bindpw|pw|pswd|psswd|psw|pword|rootpw|userpw|passwort|kennwort|contrase(?:na|ña)|senha|wachtwoord|parola|has[lł]o|heslo|passe|clave|lozinka|salasana|l[oö]senord|adgangskode|jelsz[oó]|parool|sifre|mdp)s?$/;

const SECRET_WORD =
	/^(?:[a-z]{0,24}(?:secret|token|apikey|secretkey|privatekey|accesskey|authkey|signingkey|encryptionkey|masterkey|sharedkey|accountkey|licensekey|appkey)|credentials?|creds?|jwt|psk|presharedkey|otpauth|mnemonic|authtoken|masterauth|phpsessid|jsessionid|aspxauth|sharedaccesskey|accountkey|bearer|passkey|keypass)$/;

const OTHER_SCRIPTS_PASSWORD = /(?:密码|密碼|口令|пароль|パスワード|비밀번호|암호|暗証番号)$/;
const OTHER_SCRIPTS_SECRET = /(?:密钥|密鑰|金鑰|令牌|токен|секрет|トークン|秘密鍵|토큰|시크릿)$/;

const WEAK_WORD =
	/^(?:key|keys|auth|authorization|authentication|session|sessions|sessionid|sid|cookie|cookies|hmac|pat|salt|pepper|seed|otp|totp|pin|dsn|license|licence|tokens|secrets|apikeys|hash|digest|access|private|webhook|hook|certificate|nonce|unseal|code|assertion|ticket|samlresponse|refresh|connstr|conn|csrf|xsrf|signature|sig)$/;

/** Before `key`: what makes it a secret one. */
const KEY_QUALIFIER =
	/^(?:api|apis|ai|pragma|secret|private|access|signing|sign|signature|encryption|encrypt|encrypting|decryption|decrypt|cipher|crypto|master|account|shared|auth|authentication|authorization|app|application|license|licence|activation|consumer|storage|service|deploy|deployment|ssh|session|client|subscription|function|functions|admin|root|server|write|ingest|ingestion|integration|routing|management|personal|bot|preshared|pre|hmac|aes|rsa|dsa|ecdsa|jwt|jwe|jws|cookie|csrf|data|kms|sas|webhook|verification|recaptcha|captcha|turnstile|hcaptcha|bearer|oauth|tls|ssl|wireguard|wg|unseal|recovery|restricted|merchant|transaction|live|production|prod|sandbox|developer|dev|sdk|rest|v2|v3|base|platform|org|organization|team|user|project|gateway|vapid|wallet|signer|stream|vault|seal|backup|instrumentation|security|x|xi|hapikey|legacy|global|origin|search|maps|map|geocoding|weather|openai|anthropic|gemini|google|claude|mistral|cohere|groq|azure|aws|gcp|stripe|sendgrid|mailgun|mailchimp|twilio|datadog|dd|algolia|cloudflare|github|gitlab|slack|airtable|notion|linear|sentry|pinecone|huggingface|deepseek|openrouter|replicate|tavily|serper|firecrawl|elevenlabs|deepgram|assemblyai|rapidapi|newrelic|segment|mixpanel|amplitude|launchdarkly|okta|auth0|supabase|firebase|cloudinary|dropbox|shopify|square|paypal|braintree|plaid|ghost|hubspot|intercom|zendesk|postmark|resend|brevo|together|fireworks|perplexity|xai|nvidia|voyage|jina|exa|brave|heroku|wandb|hf|ably|fernet|django|flask|rails|role|wpa|wep|netlify|vercel|render|railway|neon|pusher|mapbox|here|tomtom|opencage|ipinfo|vantage|alphavantage|finnhub|polygon|binance|coinbase|kraken|bitfinex|tmdb|omdb|giphy|unsplash|pexels|pixabay|spotify|steam|riot|twitch|youtube|vimeo|zoom|trello|asana|jira|confluence|clickup|monday|typeform|calendly|hunter|clearbit|apollo|shodan|censys|virustotal|vt|abuseipdb|urlscan|greynoise|wakatime|codecov|coveralls|sonar|snyk|percy|browserstack|saucelabs|lambdatest|bugsnag|rollbar|honeycomb|logdna|loggly|papertrail|sumo|splunk|grafana|pagerduty|opsgenie|statuspage|fastly|bunny|imgix|uploadcare|filestack|contentful|sanity|prismic|storyblok|strapi|wordpress|woocommerce|etsy|ebay|shippo|easypost|lob|taxjar|quickbooks|xero|freshbooks|chargebee|recurly|paddle|adyen|mollie|klarna|wise|dwolla|tiingo|iex|quandl|newsapi|nyt|guardian|weatherbit|accuweather|openweather|openweathermap|tomorrow|nasa|spoonacular|yelp|foursquare|amadeus|uber|lyft|meili|typesense|elastic|elasticsearch|mongo|mongodb|redis|postgres|influx|snowflake|databricks|langchain|langsmith|pinata|infura|alchemy|etherscan|moralis|quicknode|telegram|discord|whatsapp|vonage|nexmo|messagebird|sparkpost|mandrill|convertkit|klaviyo|customerio|drip|beamer|crisp|drift|validation|machine|transit|flickr|tumblr|reddit|linkedin|twitter|facebook|instagram|tiktok|pinterest|dropbox|box|onedrive)$/;

/** Before `key`, `token` or `secret`: what makes it an ordinary name. */
const HARMLESS_QUALIFIER =
	/^(?:public|pub|foreign|cache|caching|sort|partition|range|index|unique|query|row|object|lookup|registry|hot|shortcut|arrow|translation|i18n|locale|group|grouping|list|item|prop|property|field|column|dict|json|event|meta|route|name|type|enter|escape|modifier|alt|ctrl|control|shift|down|up|press|max|min|num|number|total|count|next|previous|prev|page|paging|pagination|continuation|sync|cursor|cancel|cancellation|syntax|lexer|parser|design|css|style|theme|color|punctuator|keyword|identifier|eof|start|end|open|close|opening|closing|first|last|current|left|right|operator|string|numeric|comment|template|whitespace|regex|stop|special|pad|bos|eos|unk|mask|sep|input|output|prompt|completion|reasoning|cached|used|remaining|budget|per|llm|model|idempotency|dedupe|deduplication|sha|md5|verify|publishable|anon|react|map|set|symbol|metadata|attribute|state|site)$/;

/** Words after the secret one that leave it a secret: `DB_PASSWORD_PROD`, `secret_key_base`, `apiKeyValue`. */
const NEUTRAL_SUFFIX =
	/^(?:value|val|base64|b64|prod|production|staging|stage|dev|development|test|testing|live|sandbox|local|default|primary|secondary|old|new|current|previous|backup|admin|root|user|raw|plain|plaintext|text|string|str|enc|env|header|literal|base|data|main|master|default|internal|external|global|shared|global|rw|ro|readonly|write|read|eu|us|qa|uat|int|ci|v\d|\d{1,4}|one|two|a|b|is)$/;

const MAXIMUM_WORDS = 8;
const MAXIMUM_KEY_LENGTH = 120;

export function classifyKey(key: string): KeyClass {
	if (key.length > MAXIMUM_KEY_LENGTH) return "none";
	const words = splitWords(key);
	const end = lastMeaningfulWord(words);
	const last = words[end];
	if (last === undefined) return "none";
	const before = words[end - 1] ?? "";
	if (isPasswordName(last, before)) return "password";
	if (isHarmlessName(last, before) || (before === "key" && words[end - 2] === "public")) return "none";
	if (isSecretName(last, before) || (isShouted(key) && SECRET_IN_CAPITALS.test(last) && before !== ""))
		return "secret";
	return WEAK_WORD.test(last) || (last === "string" && before === "connection") || containsSecretWord(words)
		? "weak"
		: "none";
}

/** `ACME_KEY`, `HASH_SALT`: settings of a program, where in lower case the same words may be a column or an index. */
const SECRET_IN_CAPITALS = /^(?:key|salt|pepper|seed|auth|tokens|secrets)$/;

function isShouted(key: string): boolean {
	return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key);
}

function isPasswordName(last: string, before: string): boolean {
	if (last === "pass") return !isOutcome(before);
	if (last === "word") return before === "pass";
	if (last === "phrase") return /^(?:pass|seed|recovery|secret|mnemonic)$/.test(before);
	return PASSWORD_WORD.test(last) || OTHER_SCRIPTS_PASSWORD.test(last);
}

function isSecretName(last: string, before: string): boolean {
	if (last === "key") return KEY_QUALIFIER.test(before);
	if (last === "id") return before === "secret";
	if (last === "pat") return PERSONAL_TOKEN_OWNER.test(before);
	if (last === "auth")
		return /^(?:twilio|redis|netlify|neo4j|mqtt|git|jira|http|proxy|user|client|registry|npm|docker|api|app|db|master)$/.test(
			before,
		);
	return SECRET_WORD.test(last) || OTHER_SCRIPTS_SECRET.test(last);
}

/** Before `pat`, which otherwise is short for a pattern. */
const PERSONAL_TOKEN_OWNER =
	/^(?:github|gitlab|gitea|gh|git|azure|ado|azdo|devops|ops|ext|personal|repo|ci|bot|deploy|release|user|admin|docker|npm|airtable|figma|notion|databricks|snowflake|my|our|org)$/;

function isHarmlessName(last: string, before: string): boolean {
	if (before === "public" || before === "pub") return true;
	if (last === "key" && /^(?:gpg|pgp|host|composite|natural|anon)$/.test(before)) return true;
	return /^(?:tokens?|keys?|code|hash)$/.test(last) && HARMLESS_QUALIFIER.test(before);
}

/** `tests.pass: 12` counts results. */
function isOutcome(before: string): boolean {
	return /^(?:test|tests|check|checks|did|first|second|render|shader|by|build|depth|fail)$/.test(
		before ?? "",
	);
}

function lastMeaningfulWord(words: readonly string[]): number {
	let end = words.length - 1;
	while (end > 0 && NEUTRAL_SUFFIX.test(words[end] ?? "")) end -= 1;
	return end;
}

/** Upper-case names such as `TOKEN_GITHUB` or `SECRET_FOR_CI` put the word first. Others end in what the value is. */
function containsSecretWord(words: readonly string[]): boolean {
	const last = words.at(-1) ?? "";
	if (HARMLESS_ENDING.test(last)) return false;
	return words.some((word) => PASSWORD_WORD.test(word) || SECRET_WORD.test(word));
}

const HARMLESS_ENDING =
	/^(?:id|ids|name|names|type|types|url|uri|urls|path|paths|file|files|filename|dir|directory|count|counts|length|size|limit|limits|expiry|expires|expiration|expired|ttl|age|duration|timeout|policy|policies|field|fields|label|labels|placeholder|hint|error|errors|message|messages|regex|pattern|format|provider|providers|service|services|endpoint|endpoints|issuer|audience|scope|scopes|version|versions|arn|ref|refs|reference|references|reset|rule|rules|strength|required|enabled|disabled|valid|invalid|status|state|manager|store|storage|handler|factory|helper|util|utils|config|options|settings|class|kind|index|position|offset|start|end|line|stream|map|list|set|array|hash|digest|sha|sha256|sha512|md5|checksum|algorithm|alg|encoding|method|mode|function|callback|event|request|response|result|results|info|metadata|schema|model|table|column|input|form|page|view|component|selector|usage|price|cost|budget|window|rate|ratio|per|tokenizer|parser|lexer|title|text|description|help|docs|example|examples|tests|spec|icon|button|link|change|update|confirmation|validator|validation|check|checker|created|updated|at|on|in|by|source|target|prefix|suffix|separator|delimiter|bits|bytes|min|max|num|total|header|headers|cookie|param|params|query|key|keys)$/;

/** `dbPassword`, `DB_PASSWORD`, `db.password` and `db password` are all `db`, `password`. */
export function splitWords(key: string): readonly string[] {
	return key
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^a-z0-9\u0080-\uffff]+/)
		.filter((word) => word !== "")
		.slice(-MAXIMUM_WORDS);
}
