/**
 * Passwords made of words. What a person chose is told from a name, a type or a message by what it is not: it names no
 * secret, no part of a page, no state, no step.
 */

/** Parts that make several words a name or a message. */
export const NAMING_WORD =
	/^(?:fields?|input|inputs|form|button|btn|label|errors?|user|username|users|login|logout|page|view|the|has|with|for|and|not|auth|oauth|header|name|names|type|new|old|text|reset|confirm|invalid|required|show|hide|icon|mdi|fa|link|title|message|current|changed?|update|create|delete|forgot|forgotten|repeat|verify|verified|valid|validation|strength|policy|hash|hashed|salt|encrypted|plain|cleartext|manager|provider|service|client|server|admin|email|mail|account|session|cookie|bearer|basic|access|refresh|api|app|my|your|our|some|any|test|tests|testing|demo|example|sample|default|value|string|number|none|null|empty|missing|optional|only|same|origin|as|in|on|at|to|of|by|or|is|no|non|low|high|weak|strong|min|max|length|size|file|path|env|config|settings?|store|vault|prod|production|staging|dev|development|local|credentials?|creds?|secrets?|tokens?|passw[a-z]{0,8}|pass|pwd|keys?|id|ids|ref|refs|tls|ssl|ssh|cert|certificate|database|db|postgres|mysql|redis|mongo|rabbitmq|kafka|cluster|node|pod|deploy|release|build|group|list|item|data|grant|scope|code|flow|method|mode|state|status|enabled|disabled|screen|modal|dialog|box|wrapper|container|row|col|column|section|panel|toggle|visible|hidden|visibility|placeholder|hint|help|tooltip|request|response|event|handler|callback|check|checker|prompt|dto|entity|model|schema|too|short|long|must|be|match|mismatch|expired|wrong|incorrect|denied|failed|success|ok|primary|secondary|rotate|rotation|sync|external|internal|public|private|shared|common|custom|generated|random|unknown|temporary|temp|once|never|always|autocomplete|one|time|off)$/i;

/** What lists of stolen passwords begin with, so far as the words are nothing else in a file. */
export const COMMON_PASSWORD =
	/^(?:letmein|iloveyou|sunshine|princess|football|baseball|basketball|superman|batman|spiderman|starwars|pokemon|dragon|monkey|shadow|qwerty|qwertyuiop|qwertz|azerty|asdfgh|asdfghjkl|zxcvbn|zxcvbnm|trustno|welcome|whatever|freedom|hunter|killer|charlie|jordan|michael|jennifer|jessica|ashley|michelle|daniel|andrew|thomas|matthew|joshua|robert|george|buster|soccer|hockey|tigger|pepper|ginger|cookiemonster|cheese|butterfly|flower|chocolate|computer1|internet1|mustang|ferrari|porsche|corvette|harley|yankees|cowboys|lakers|arsenal|chelsea|liverpool|barcelona|samsung1|hello123|summer|winter|autumn|snoopy|garfield|matrix1|merlin|phoenix|thunder|maverick|ranger|hammer|silver|golden|purple|orange|banana|peanut|bailey|maggie|lovely|babygirl|loveme|angel|angels|blink|metallica|nirvana|slipknot|biteme|access14|abcdef|abcdefg|abcdefgh|passw0rd|secretsauce|opensesame|swordfish|rosebud|correcthorse|correcthorsebatterystaple|topsecret|supersecret|changeit|tequiero|hallo|schatz|sommer|geheim|motdepasse|bonjour|doudou|senha)$/i;

/** `correct-horse-battery-staple`: words and joints, none of which names something else. */
export function isWordChain(value: string, minimumWords: number): boolean {
	const words = value.split(/[-_.]/);
	return (
		words.length >= minimumWords &&
		words.every((word) => /^(?:[a-z]{3,12}|[A-Z][a-z]{2,11})$/.test(word) && !NAMING_WORD.test(word))
	);
}

/** `correct horse battery staple`. Words in lower case; a sentence has at least one of the small ones. */
export function isWordPhrase(value: string, minimumWords: number): boolean {
	const words = value.split(" ");
	return (
		words.length >= minimumWords &&
		words.length <= 12 &&
		words.every((word) => /^[a-z]{3,10}$/.test(word) && !NAMING_WORD.test(word))
	);
}

/** One word after a password's name. In capitals it is as likely a label or a type. */
export function isChosenWord(value: string): boolean {
	return /^[a-z]{6,24}$/.test(value) && !containsNaming(value);
}

/** `userpassword`, `nopass`, `keyring`: made of the vocabulary of logins. */
function containsNaming(value: string): boolean {
	return (
		NAMING_WORD.test(value) ||
		/pass|pwd|secret|token|auth|cred|login|user|key|crypt|hash|field|input|valid|error|string|prompt|word|sign|require|account|admin|confirm|contras|parol|kenn|senha|heslo|adgang|losen/i.test(
			value,
		)
	);
}

/** What is said of a password and is none: states, by their endings and by themselves. */
export const STATE_WORD =
	/(?:ed|ing|able|ible|ory|ive|ful|less|ent|ant|ous|ly|al|ary|ic|ect|ure|own|ish|est|ever|id|ken|den|tten)$|^(?:wrong|weak|blank|short|long|safe|stale|simple|fine|good|great|okay|there|here|where|what|always|also|still|just|only|about|something|someone|nothing|anything|everything|default|unique|private|public|plain|clear|null|undefined|part|which|their|this|that|these|those|under|over|above|below|again|alone|enough|false|true|later|today|yours|mine|same|different|random|shared|common|complex|easy|hard|unsafe|obsolete|incomplete|complete|falsch|richtig|leer|kurz|incorrecte|obligatoire|obligatoria|correcto|correcta|incorrecta|faible)$/i;

/** A word that ends a sentence about a password. */
export function isToldWord(value: string): boolean {
	return /^[a-z]{5,16}$/.test(value) && !STATE_WORD.test(value) && !containsNaming(value);
}
